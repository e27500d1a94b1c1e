package io.credential.sample;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;

/** Answers one page; {@code Link} refers to the next one (RFC 8288), if there is one. */
final class NextPage {

    private NextPage() {}

    static <T> ResponseEntity<List<T>> answer(List<T> page, @Nullable String nextCursor) {
        ResponseEntity.BodyBuilder answer = ResponseEntity.ok();
        if (nextCursor != null) {
            answer.header(HttpHeaders.LINK, "<" + uri(nextCursor) + ">; rel=\"next\"");
        }
        return answer.body(page);
    }

    /** Keeps the query as the client encoded it; a cursor needs no encoding. */
    private static String uri(String cursor) {
        return ServletUriComponentsBuilder.fromCurrentRequest()
                .replaceQueryParam("cursor", cursor)
                .build()
                .toUriString();
    }
}
