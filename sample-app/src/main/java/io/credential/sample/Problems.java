package io.credential.sample;

import java.util.Locale;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;

/** Creates the problems (RFC 9457) of this application, with a stable code, for example {@code sample/not-found}. */
final class Problems {

    private Problems() {}

    static ProblemDetail of(HttpStatusCode status, String detail) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, detail);
        addCode(problem);
        return problem;
    }

    static void addCode(ProblemDetail problem) {
        @Nullable HttpStatus status = HttpStatus.resolve(problem.getStatus());
        String word = status == null
                ? "error"
                : status.name().toLowerCase(Locale.ROOT).replace('_', '-');
        problem.setProperty("code", "sample/" + word);
    }
}
