package io.credential.spring.console.internal.web;

import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpSession;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.util.ServletRequestPathUtils;
import org.springframework.web.util.UriComponentsBuilder;

import static org.assertj.core.api.Assertions.assertThat;

class NoticeTests {

    private static final String PAGE = "/credential/keys/live/a";

    private final MockHttpSession session = new MockHttpSession();
    private final Notice purged = new Notice(Notice.Kind.PURGED, 1200, 3);

    @Test
    void noticeWhenSealedForThePageThenIsShown() {
        assertThat(shown(session, PAGE, purged.query(session, PAGE))).contains(purged);
        Notice notErased = Notice.of(Notice.Kind.NOT_ERASED);
        assertThat(shown(session, PAGE, notErased.query(session, PAGE))).contains(notErased);
    }

    /** It would be a link that somebody else has sent. */
    @ParameterizedTest
    @ValueSource(
            strings = {"", "done=revoked", "done=revoked&seal=", "done=no-kind&seal=0123456789ab", "done=purged&n=x"})
    void noticeWhenWithoutSealThenIsNotShown(String query) {
        assertThat(shown(session, PAGE, query)).isEmpty();
        assertThat(shown(null, PAGE, query)).isEmpty();
    }

    @Test
    void noticeWhenChangedThenIsNotShown() {
        String query = purged.query(session, PAGE);

        assertThat(shown(session, PAGE, query.replace("purged", "replayed-many")))
                .isEmpty();
        assertThat(shown(session, PAGE, query.replace("1200", "1201"))).isEmpty();
        assertThat(shown(session, PAGE, query.replace("m=3", "m=4"))).isEmpty();
    }

    @Test
    void noticeWhenSealedForAnotherPageThenIsNotShown() {
        assertThat(shown(session, "/credential/keys/live/b", purged.query(session, PAGE)))
                .isEmpty();
    }

    @Test
    void noticeWhenSealedForAnotherSessionThenIsNotShown() {
        assertThat(shown(new MockHttpSession(), PAGE, purged.query(session, PAGE)))
                .isEmpty();
    }

    private static Optional<Notice> shown(@Nullable MockHttpSession session, String path, String query) {
        MockHttpServletRequest request = new MockHttpServletRequest("GET", path);
        if (session != null) {
            request.setSession(session);
        }
        UriComponentsBuilder.newInstance()
                .query(query)
                .build()
                .getQueryParams()
                .forEach((name, values) -> request.addParameter(name, values.toArray(String[]::new)));
        ServletRequestPathUtils.parseAndCache(request);
        return Notice.in(ServerRequest.create(request, List.of()));
    }
}
