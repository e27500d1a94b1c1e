package io.credential.sample;

import io.credential.sample.Api.Answer;

import static org.assertj.core.api.Assertions.assertThat;

/** Assertions about problems (RFC 9457). */
final class ProblemAssert {

    private ProblemAssert() {}

    static void assertProblem(Answer answer, int status) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.contentType()).isEqualTo("application/problem+json");
        assertThat(answer.json().required("status").asInt()).isEqualTo(status);
        assertThat(answer.text("title")).isNotBlank();
        assertThat(answer.text("code")).isNotBlank();
    }

    static void assertProblem(Answer answer, int status, String code) {
        assertProblem(answer, status);
        assertThat(answer.text("code")).isEqualTo(code);
    }
}
