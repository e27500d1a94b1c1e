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
        forms.once(session, id, SentFormsTests::done);

        assertThatExceptionOfType(ConsoleException.class)
                .isThrownBy(() -> forms.once(session, id, SentFormsTests::done))
                .withMessageContaining("sent already")
                .returns(HttpStatus.CONFLICT, e -> e.problem().status());
        assertThat(forms.once(session, forms.newId(), SentFormsTests::done)).isEqualTo(done());
        assertThat(forms.once(new MockHttpSession(), id, SentFormsTests::done)).isEqualTo(done());
    }

    @Test
    void onceWhenSentWhileItRunsThenRefused() {
        String id = forms.newId();

        assertThatExceptionOfType(ConsoleException.class)
                .isThrownBy(() -> forms.once(session, id, () -> forms.once(session, id, SentFormsTests::done)))
                .returns(HttpStatus.CONFLICT, e -> e.problem().status());
    }

    /** As with a session outside this process, which is read before the other request has stored the id. */
    @Test
    void onceWhenTheSessionIsAnotherObjectThenRefused() {
        String id = forms.newId();
        MockHttpSession same = new MockHttpSession(null, session.getId());
        forms.once(session, id, SentFormsTests::done);

        assertThatExceptionOfType(ConsoleException.class)
                .isThrownBy(() -> forms.once(same, id, SentFormsTests::done))
                .returns(HttpStatus.CONFLICT, e -> e.problem().status());
    }

    /** As with a shared session, after another node has accepted the form. */
    @Test
    void onceWhenAnotherNodeAcceptedItThenRefused() {
        String id = forms.newId();
        new SentForms(new Random(8)).once(session, id, SentFormsTests::done);

        assertThatExceptionOfType(ConsoleException.class)
                .isThrownBy(() -> forms.once(session, id, SentFormsTests::done))
                .returns(HttpStatus.CONFLICT, e -> e.problem().status());
    }

    @Test
    void onceWhenItFailedThenCanBeSentAgain() {
        String id = forms.newId();
        Reply rejected = Reply.page(HttpStatus.BAD_REQUEST, "", "", (output, page) -> {});
        assertThat(forms.once(session, id, () -> rejected)).isSameAs(rejected);
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> forms.once(session, id, () -> {
                    throw new IllegalStateException("the database does not answer");
                }));

        assertThat(forms.once(session, id, SentFormsTests::done)).isEqualTo(done());
    }

    @Test
    void onceWhenManyAreSentThenRemembersTheLast20() {
        List<String> ids = Stream.generate(forms::newId).limit(21).toList();
        ids.forEach(id -> forms.once(session, id, SentFormsTests::done));

        assertThat(session.getAttribute(SentForms.class.getName())).isEqualTo(ids.subList(1, 21));
    }

    private static Reply done() {
        return new Reply.Redirect("done", null);
    }
}
