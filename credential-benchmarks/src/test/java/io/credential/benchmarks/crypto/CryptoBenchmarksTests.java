package io.credential.benchmarks.crypto;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;

import io.credential.benchmarks.Profile;
import io.credential.benchmarks.Table;

import static org.assertj.core.api.Assertions.assertThat;

class CryptoBenchmarksTests {

    @Test
    void runWhenSmokeThenMeasuresEachKind() throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();

        CryptoBenchmarks.run(Profile.SMOKE, new Table(new PrintStream(printed, true, StandardCharsets.UTF_8)));

        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("hmac-sha3-512, 1024 bytes: sign / fastest bare MAC")
                .contains("processor, 1024 bytes: verify / verify by the fastest library")
                .contains("ml-dsa-65: verify / verifyBare")
                .contains("ml-dsa-65: sign, bytes allocated");
    }
}
