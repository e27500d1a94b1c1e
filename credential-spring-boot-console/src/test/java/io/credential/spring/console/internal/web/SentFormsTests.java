package io.credential.spring.console.internal.web;

import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.springframework.http.HttpStatus;
import org.springframework.mock.web.MockHttpSession;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class SentFormsTests {

    private final MockHttpSession session = new MockHttpSession();
    private final SentForms forms = new SentForms(new Random(7));

    @Test
    void onceWhenSentAgainThenRefused() {
        String id = forms.newId();
        SentForms.once(session, id, SentFormsTests::done);

        assertThatExceptionOfType(ConsoleException.class)
                .isThrownBy(() -> SentForms.once(session, id, SentFormsTests::done))
                .withMessageContaining("sent already")
                .returns(HttpStatus.CONFLICT, e -> e.problem().status());
        assertThat(SentForms.once(session, forms.newId(), SentFormsTests::done)).isEqualTo(done());
        assertThat(SentForms.once(new MockHttpSession(), id, SentFormsTests::done))
                .isEqualTo(done());
    }

    @Test
    void onceWhenSentWhileItRunsThenRefused() {
        String id = forms.newId();

        assertThatExceptionOfType(ConsoleException.class)
                .isThrownBy(() -> SentForms.once(session, id, () -> SentForms.once(session, id, SentFormsTests::done)))
                .returns(HttpStatus.CONFLICT, e -> e.problem().status());
    }

    @Test
    void onceWhenItFailedThenCanBeSentAgain() {
        String id = forms.newId();
        Reply rejected = Reply.page(HttpStatus.BAD_REQUEST, "", "", (output, page) -> {});
        assertThat(SentForms.once(session, id, () -> rejected)).isSameAs(rejected);
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> SentForms.once(session, id, () -> {
                    throw new IllegalStateException("the database does not answer");
                }));

        assertThat(SentForms.once(session, id, SentFormsTests::done)).isEqualTo(done());
    }

    @Test
    void onceWhenManyAreSentThenRemembersTheLast20() {
        List<String> ids = Stream.generate(forms::newId).limit(21).toList();
        ids.forEach(id -> SentForms.once(session, id, SentFormsTests::done));

        assertThat(session.getAttribute(SentForms.class.getName())).isEqualTo(ids.subList(1, 21));
    }

    private static Reply done() {
        return new Reply.Redirect("done");
    }
}
