package io.credential.spring.autoconfigure.apikeys;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import javax.sql.DataSource;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import io.credential.apikey.ApiKeyRegistries;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.IssuedApiKey;
import io.credential.spring.autoconfigure.CredentialAutoConfiguration;
import io.credential.spring.autoconfigure.StarterRunner;
import io.credential.spring.autoconfigure.audit.AuditAutoConfiguration;
import io.credential.spring.autoconfigure.cluster.ClusterAutoConfiguration;
import io.credential.spring.autoconfigure.database.CredentialDatabaseAutoConfiguration;
import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;
import io.credential.spring.autoconfigure.keyring.KeyringAutoConfiguration;
import io.credential.spring.leak.internal.LeakReportFilter;
import io.credential.spring.leak.internal.Partner;
import io.credential.testing.DatabaseKind;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

class LeakReportsConfigurationTests {

    private static final String LEAKS = "credential.api-keys.leak-reports.";
    private static final String ENABLED = LEAKS + "enabled=true";

    @TempDir
    private Path directory;

    private final TestDatabase database = TestDatabase.create(DatabaseKind.SQLITE);
    private final Partner partner = new Partner();
    private final String publicKey = LEAKS + "public-keys." + Partner.KEY_ID + "=" + partner.pem();

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void contextWhenNotEnabledThenHasNoEndpoint() {
        runner(publicKey)
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(FilterRegistrationBean.class));
    }

    @Test
    void contextWhenNotAWebApplicationThenHasNoEndpoint() {
        StarterRunner.on(database, directory)
                .withPropertyValues(ENABLED, publicKey)
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("credentialLeakReportFilter"));
    }

    @Test
    void contextWhenEnabledThenEndpointHasThePathOnly() {
        runner(ENABLED, publicKey, LEAKS + "path=/partners/leaks")
                .run(context ->
                        assertThat(registration(context).getUrlPatterns()).containsExactly("/partners/leaks"));
        runner(ENABLED, publicKey)
                .run(context ->
                        assertThat(registration(context).getUrlPatterns()).containsExactly("/credential/leak-reports"));
    }

    @Test
    void contextWhenNoPublicKeyThenFails() {
        runner(ENABLED)
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining("public-keys-url"));
    }

    @Test
    void contextWhenPublicKeyCannotBeUsedThenFailsNamingIt() {
        for (String value : new String[] {"classpath:no-such-file.pem", "file:" + directory, "-----BEGIN x"}) {
            runner(ENABLED, LEAKS + "public-keys.k1=" + value)
                    .run(context -> assertThat(context.getStartupFailure())
                            .rootCause()
                            .satisfies(cause -> assertThat(context.getStartupFailure())
                                    .hasStackTraceContaining(LEAKS + "public-keys.k1")));
        }
    }

    @Test
    void contextWhenApplicationHasItsOwnRegistriesThenFails() {
        runner(ENABLED, publicKey)
                .withBean(ApiKeyRegistries.class, () -> mock(ApiKeyRegistries.class))
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(CredentialConfigurationException.class)
                        .hasMessageContaining(LEAKS + "enabled"));
    }

    @Test
    void reportWhenDefaultThenKeyIsDisabled() {
        runner(ENABLED, publicKey).run(context -> {
            IssuedApiKey key = issue(context);

            assertThat(report(context, key.key()).getStatus()).isEqualTo(200);

            assertThat(registry(context).getById(key.id()).orElseThrow().disabledAt())
                    .isNotNull();
            assertThat(registry(context).enable(key.id())).isTrue();
        });
    }

    @Test
    void reportWhenActionIsSetThenItIsTaken() {
        runner(ENABLED, publicKey, LEAKS + "action=revoke").run(context -> {
            IssuedApiKey key = issue(context);
            assertThat(report(context, key.key()).getContentAsString()).contains("true_positive");
            assertThat(registry(context).getById(key.id()).orElseThrow().revokedAt())
                    .isNotNull();
        });
        runner(ENABLED, publicKey, LEAKS + "action=report").run(context -> {
            IssuedApiKey key = issue(context);
            assertThat(report(context, key.key()).getContentAsString()).contains("true_positive");
            assertThat(registry(context).verify(key.key())).isPresent();
        });
    }

    @Test
    void reportWhenPublicKeyIsAFileThenVerified() throws Exception {
        Path file = Files.writeString(directory.resolve("partner.pem"), partner.pem());
        runner(ENABLED, LEAKS + "public-keys." + Partner.KEY_ID + "=file:" + file)
                .run(context -> assertThat(report(context, "x").getStatus()).isEqualTo(200));
    }

    @Test
    void reportWhenPublishedKeysCannotBeFetchedThen503() {
        runner(ENABLED, publicKey.replace(Partner.KEY_ID, "other"), LEAKS + "public-keys-url=https://127.0.0.1:1/keys")
                .run(context -> assertThat(report(context, "x").getStatus()).isEqualTo(503));
    }

    @Test
    void reportWhenOverALimitThen413() {
        runner(ENABLED, publicKey, LEAKS + "max-body-size=20B")
                .run(context ->
                        assertThat(report(context, "x".repeat(20)).getStatus()).isEqualTo(413));
        runner(ENABLED, publicKey, LEAKS + "max-reports=1").run(context -> {
            assertThat(report(context, "x").getStatus()).isEqualTo(200);
            assertThat(report(context, "x", "y").getStatus()).isEqualTo(413);
        });
    }

    private WebApplicationContextRunner runner(String... properties) {
        return new WebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        CredentialAutoConfiguration.class,
                        CredentialDatabaseAutoConfiguration.class,
                        KeyringAutoConfiguration.class,
                        ClusterAutoConfiguration.class,
                        AuditAutoConfiguration.class,
                        ApiKeyRegistriesAutoConfiguration.class,
                        DataSourceTransactionManagerAutoConfiguration.class))
                .withPropertyValues(
                        StarterRunner.NO_DISPATCHER,
                        "credential.api-keys.registries.live.prefix=bk",
                        "credential.keyring.location=file:" + StarterRunner.keyring(directory))
                .withPropertyValues(properties)
                .withBean(
                        "applicationDataSource",
                        DataSource.class,
                        database::dataSource,
                        definition -> definition.setDestroyMethodName(""));
    }

    private static ApiKeyRegistry registry(ApplicationContext context) {
        return context.getBean(ApiKeyRegistry.class);
    }

    private static IssuedApiKey issue(ApplicationContext context) {
        return registry(context).issue(IssueRequest.forOwner("user-42"));
    }

    private MockHttpServletResponse report(ApplicationContext context, String... tokens) throws Exception {
        String body = "[{\"token\":\"" + String.join("\"},{\"token\":\"", tokens) + "\"}]";
        MockHttpServletRequest request = new MockHttpServletRequest("POST", "/");
        request.setContentType("application/json");
        request.setContent(body.getBytes(StandardCharsets.UTF_8));
        request.addHeader("Github-Public-Key-Identifier", Partner.KEY_ID);
        request.addHeader("Github-Public-Key-Signature", partner.sign(body));
        MockHttpServletResponse response = new MockHttpServletResponse();
        LeakReportFilter filter =
                (LeakReportFilter) Objects.requireNonNull(registration(context).getFilter());
        filter.doFilter(request, response, new MockFilterChain());
        return response;
    }

    private static FilterRegistrationBean<?> registration(ApplicationContext context) {
        return context.getBean("credentialLeakReportFilter", FilterRegistrationBean.class);
    }
}
