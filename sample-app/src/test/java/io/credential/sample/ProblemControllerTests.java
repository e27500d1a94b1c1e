package io.credential.sample;

import org.junit.jupiter.api.Test;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;

import static org.assertj.core.api.Assertions.assertThat;

class ProblemControllerTests {

    @Test
    void errorWhenPathIsNoUriThenProblemWithoutInstance() {
        ResponseEntity<ProblemDetail> answer = new ProblemController().error(400, "//");

        assertThat(answer.getStatusCode().value()).isEqualTo(400);
        assertThat(answer.getBody())
                .isNotNull()
                .extracting(ProblemDetail::getInstance)
                .isNull();
    }
}
