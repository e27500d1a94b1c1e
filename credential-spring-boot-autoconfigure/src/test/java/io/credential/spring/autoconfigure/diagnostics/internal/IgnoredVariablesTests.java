package io.credential.spring.autoconfigure.diagnostics.internal;

import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import io.credential.spring.autoconfigure.CredentialAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/** Whether a variable is warned about follows from what Spring Boot binds, so each test binds. */
@ExtendWith(OutputCaptureExtension.class)
class IgnoredVariablesTests {

    private static final String IGNORED = "is ignored";

    @ParameterizedTest
    @CsvSource({
        "CREDENTIAL_API_KEYS_REGISTRIES_LIVE_PREFIX, bk, CREDENTIAL_APIKEYS_REGISTRIES_LIVE_PREFIX",
        "CREDENTIAL_API_KEYS_REGISTRIES_LIVE_EU_ID_BYTES, 9, CREDENTIAL_APIKEYS_REGISTRIES_LIVEEU_IDBYTES",
        "CREDENTIAL_WEB_HOOK_INBOUND_PARTNER_PATHS_0, /a, CREDENTIAL_WEBHOOK_INBOUND_PARTNER_PATHS_0",
        "CREDENTIAL_WEB_HOOK_SIGNERS_MINE_KEYS_V1, hunter2, CREDENTIAL_WEBHOOK_SIGNERS_MINE_KEYS_V1",
        "CREDENTIAL_WEB_HOOK_SIGNERS_MINE_KEYS_V1_PRIVATE_KEY, hunter2, CREDENTIAL_WEBHOOK_SIGNERS_MINE_KEYS_V1_PRIVATEKEY",
        "CREDENTIAL_WEBHOOK_DISPATCHER_MAX_ATTEMPT, 3, CREDENTIAL_WEBHOOK_DISPATCHER_MAXATTEMPTS",
        "CREDENTIAL_APIKEYS_HEADERNAM, X-Key, CREDENTIAL_APIKEYS_HEADERNAME"
    })
    void startWhenVariableIsNotBoundThenNamesRightOne(String name, String value, String right, CapturedOutput output) {
        with(Map.of(name, value), "");

        assertThat(output).contains("variable " + name + " " + IGNORED).contains("use " + right);
        if (value.length() > 2) {
            assertThat(output).doesNotContain(value);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "CREDENTIAL_APIKEYS_REGISTRIES_LIVE_PREFIX, bk",
        "CREDENTIAL_APIKEYS_REGISTRIES_LIVE_IDBYTES, 9",
        "CREDENTIAL_APIKEYS_REGISTRIES_LIVE_ID_BYTES, 9",
        "CREDENTIAL_APIKEYS_HEADERNAME, X-Key",
        "CREDENTIAL_API_KEYS_HEADER_NAME, X-Key",
        "CREDENTIAL_WEBHOOK_DISPATCHER_MAX_ATTEMPTS, 3",
        "CREDENTIAL_WEBHOOK_SIGNERS_MINE_KEYS_V1, hunter2",
        "CREDENTIAL_MODE, single"
    })
    void startWhenVariableIsBoundThenSilent(String name, String value, CapturedOutput output) {
        with(Map.of(name, value), "");

        assertThat(output).doesNotContain(IGNORED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREDENTIAL_HELPER",
                "CREDENTIAL_STORE",
                "CREDENTIAL_",
                "CREDENTIAL_1",
                "CREDENTIAL_FILE_PATH",
                "CREDENTIALS_PATH",
                "CREDENTIAL_PROVIDER_URL",
                "CREDENTIAL____"
            })
    void startWhenVariableIsOfAnotherThenSilent(String name, CapturedOutput output) {
        with(Map.of(name, "x"), "");

        assertThat(output).doesNotContain(IGNORED);
    }

    /** Another source that goes first has been bound. */
    @Test
    void startWhenVariableIsOverriddenThenSilent(CapturedOutput output) {
        with(Map.of("CREDENTIAL_APIKEYS_HEADERNAME", "X-Key"), "credential.api-keys.header-name=X-Other");

        assertThat(output).doesNotContain(IGNORED);
    }

    /** With the registry in a file, Spring Boot finds the variable with underscores, too. */
    @Test
    void startWhenNameIsKnownFromAFileThenSilent(CapturedOutput output) {
        with(
                Map.of("CREDENTIAL_API_KEYS_REGISTRIES_LIVE_PREFIX", "bk"),
                "credential.api-keys.registries.live.id-bytes=9");

        assertThat(output).doesNotContain(IGNORED);
    }

    private static void with(Map<String, Object> variables, String property) {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(CredentialAutoConfiguration.class))
                .withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .replace(
                                "systemEnvironment",
                                new SystemEnvironmentPropertySource("systemEnvironment", variables)))
                .withPropertyValues(property.isEmpty() ? new String[0] : new String[] {property})
                .run(context -> assertThat(context).hasNotFailed());
    }
}
