package io.credential.spring.autoconfigure;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;

import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;

import static org.assertj.core.api.Assertions.assertThat;

class ReactiveRefusalTests {

    private final ReactiveWebApplicationContextRunner runner = new ReactiveWebApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(CredentialAutoConfiguration.class));

    @ParameterizedTest
    @CsvSource({
        "credential.api-keys.registries, .live.prefix=bk",
        "credential.webhook.inbound, .partner.keys.v1=0123456789abcdef"
    })
    void startWhenOnlyAServletApplicationGetsItThenRefused(String property, String setting) {
        runner.withPropertyValues(property + setting)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOfSatisfying(CredentialConfigurationException.class, refused -> {
                            assertThat(refused.problem()).contains("(" + property + ")", "reactive (WebFlux)");
                            assertThat(refused.remedy()).contains("spring-boot-starter-webmvc", "remove " + property);
                        }));
    }

    @Test
    void startWhenNothingNeedsServletsThenSucceeds() {
        runner.run(context -> assertThat(context).hasNotFailed());
    }
}
