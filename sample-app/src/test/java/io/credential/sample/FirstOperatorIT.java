package io.credential.sample;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** The password of the console, which only a first start prints. */
@ExtendWith(OutputCaptureExtension.class)
class FirstOperatorIT {

    private static final Pattern PASSWORD = Pattern.compile("Console: user operator, password, .*: ([0-9a-f]{24})");

    @Test
    void startThenPasswordLogsInAndIsPrintedOnlyOnce(@TempDir Path directory, CapturedOutput output)
            throws IOException {
        String password;
        try (Sample sample = Sample.startIn(directory, Map.of())) {
            Matcher printed = PASSWORD.matcher(output.getOut());
            assertThat(printed.find()).isTrue();
            password = printed.group(1);
            Path file = directory.resolve("first-operator-password");
            assertThat(file).hasContent(password);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
            assertThat(output.getAll().split(password, -1)).as("printed once").hasSize(2);
            assertThat(new Browser(sample.port()).logIn(password).path()).isEqualTo("/demonstration");
        }
        int before = output.getOut().length();

        try (Sample restarted = Sample.startIn(directory, Map.of())) {
            assertThat(output.getOut().substring(before)).doesNotContain("password");
            assertThat(new Browser(restarted.port()).logIn(password).path()).isEqualTo("/demonstration");
        }
    }
}
