package io.credential.spring.autoconfigure.diagnostics;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;

import io.credential.spring.autoconfigure.Analyses;
import io.credential.spring.autoconfigure.CredentialAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

@ExtendWith(OutputCaptureExtension.class)
class PropertyFailureTests {

    private final ApplicationContextRunner runner =
            new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(CredentialAutoConfiguration.class));

    private FailureAnalysis analysis(String... properties) {
        FailureAnalysis[] analysis = new FailureAnalysis[1];
        runner.withPropertyValues(properties).run(context -> analysis[0] = Analyses.of(context));
        return analysis[0];
    }

    @ParameterizedTest
    @CsvSource({
        "credential.api-keys.purge-intervall, credential.api-keys.purge-interval",
        "credential.api-key.purge-interval, credential.api-keys.purge-interval",
        "credential.api-keys.registries.live.idbyte, credential.api-keys.registries.live.id-bytes",
        "credential.api-keys.registries.my-keys.hash-algoritm, credential.api-keys.registries.my-keys.hash-algorithm",
        "credential.storage.file, credential.storage.path",
        "credential.keyrings.location, credential.keyring.location",
        "credential.modus, credential.mode"
    })
    void analyzeWhenPropertyIsUnknownThenNamesTheClosest(String unknown, String known) {
        FailureAnalysis analysis = analysis(unknown + "=hunter2");
        assertThat(analysis.getDescription()).contains("'" + unknown + "' is not known");
        assertThat(analysis.getAction()).contains("Did you mean '" + known + "'?");
        assertThat(analysis.getDescription() + analysis.getAction()).doesNotContain("hunter2");
    }

    @Test
    void analyzeWhenNoNameIsSimilarThenSuggestsRemoval() {
        FailureAnalysis analysis = analysis("credential.frobnicate-the-whole-thing-now=hunter2");
        assertThat(analysis.getAction())
                .isEqualTo("Remove 'credential.frobnicate-the-whole-thing-now'.")
                .doesNotContain("hunter2");
    }

    @Test
    void analyzeWhenSeveralAreUnknownThenNamesEach() {
        FailureAnalysis analysis = analysis("credential.modus=single", "credential.storage.pfad=x");
        assertThat(analysis.getDescription()).contains("credential.modus", "credential.storage.pfad");
    }

    @Test
    void analyzeWhenValueIsOutOfRangeThenGivesTheRange() {
        FailureAnalysis analysis = analysis("credential.api-keys.registries.live.id-bytes=4");
        assertThat(analysis.getDescription())
                .contains("'credential.api-keys.registries.live.id-bytes' has the invalid value '4'");
        assertThat(analysis.getAction()).contains("8 to 32");
    }

    @Test
    void analyzeWhenTextIsNoDurationThenDoesNotRepeatIt() {
        FailureAnalysis analysis = analysis("credential.api-keys.purge-interval=hunter2");
        assertThat(analysis.getDescription()).contains("'credential.api-keys.purge-interval'", "must be a duration");
        assertThat(analysis.getDescription() + analysis.getAction()).doesNotContain("hunter2");
    }

    @ParameterizedTest
    @CsvSource({
        "credential.mode, 'single, cluster'",
        "credential.storage.schema, 'migrate, validate, none'",
        "credential.api-keys.registries.live.hash-algorithm, 'shake256, argon2id'"
    })
    void analyzeWhenWordIsUnknownThenListsTheKnown(String property, String words) {
        FailureAnalysis analysis = analysis(property + "=hunter2");
        assertThat(analysis.getDescription()).contains("'" + property + "'").doesNotContain("hunter2");
        assertThat(analysis.getAction()).isEqualTo("Write one of: " + words + ".");
    }

    @Test
    void analyzeWhenTextReplacesAGroupThenDoesNotRepeatIt() {
        FailureAnalysis analysis = analysis("credential.keyring=hunter2");
        assertThat(analysis.getDescription()).contains("'credential.keyring'");
        assertThat(analysis.getDescription() + analysis.getAction()).doesNotContain("hunter2");
        assertThat(analysis.getAction()).contains("properties below 'credential.keyring'");
    }

    @Test
    void analyzeWhenPropertyIsNotOursThenLeavesItToOthers() {
        new ApplicationContextRunner()
                .withUserConfiguration(Others.class)
                .withPropertyValues("others.unknown=x")
                .run(context -> assertThat(Analyses.of(context).getDescription())
                        .contains("Binding to target", "others.unknown"));
    }

    @Test
    void startWhenPropertyIsUnknownThenPrintsWhatToDo(CapturedOutput output) {
        SpringApplication application = new SpringApplication(Application.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        Throwable failure = catchThrowable(() -> application.run("--credential.api-keys.accepted=hunter2"));
        assertThat(failure).isNotNull();
        assertThat(output)
                .contains("APPLICATION FAILED TO START", "'credential.api-keys.accepted' is not known")
                .contains("Did you mean 'credential.api-keys.accept'?")
                .doesNotContain("hunter2");
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(CredentialAutoConfiguration.class)
    static class Application {}

    @Configuration(proxyBeanMethods = false)
    @EnableConfigurationProperties(OthersProperties.class)
    static class Others {}

    @ConfigurationProperties(prefix = "others", ignoreUnknownFields = false)
    record OthersProperties(String known) {}
}
