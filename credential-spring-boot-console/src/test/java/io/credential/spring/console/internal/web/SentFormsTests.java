package io.credential.spring.console.internal.web;

import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.springframework.http.HttpStatus;
import org.springframework.mock.web.MockHttpSession;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class SentFormsTests {

    private static final Supplier<Reply> DONE = () -> new Reply.Redirect("done");

    private final MockHttpSession session = new MockHttpSession();
    private final SentForms forms = new SentForms(new Random(7));

    @Test
    void onceWhenSentAgainThenRefused() {
        String id = forms.newId();
        SentForms.once(session, id, DONE);

        assertThatExceptionOfType(ConsoleException.class)
                .isThrownBy(() -> SentForms.once(session, id, DONE))
                .withMessageContaining("sent already")
                .returns(HttpStatus.CONFLICT, e -> e.problem().status());
        assertThat(SentForms.once(session, forms.newId(), DONE)).isEqualTo(DONE.get());
        assertThat(SentForms.once(new MockHttpSession(), id, DONE)).isEqualTo(DONE.get());
    }

    @Test
    void onceWhenSentWhileItRunsThenRefused() {
        String id = forms.newId();

        assertThatExceptionOfType(ConsoleException.class)
                .isThrownBy(() -> SentForms.once(session, id, () -> SentForms.once(session, id, DONE)))
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

        assertThat(SentForms.once(session, id, DONE)).isEqualTo(DONE.get());
    }

    @Test
    void onceWhenManyAreSentThenRemembersTheLast20() {
        List<String> ids = Stream.generate(forms::newId).limit(21).toList();
        ids.forEach(id -> SentForms.once(session, id, DONE));

        assertThat(session.getAttribute(SentForms.class.getName())).isEqualTo(ids.subList(1, 21));
    }
}
