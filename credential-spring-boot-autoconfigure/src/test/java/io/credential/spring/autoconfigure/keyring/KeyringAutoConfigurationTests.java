package io.credential.spring.autoconfigure.keyring;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.IssueRequest;
import io.credential.seal.internal.Keyring;
import io.credential.secret.SecretBytes;
import io.credential.spring.autoconfigure.Analyses;
import io.credential.spring.autoconfigure.StarterRunner;
import io.credential.spring.autoconfigure.properties.CredentialProperties;
import io.credential.testing.DatabaseKind;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.WebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;

class KeyringAutoConfigurationTests {

    @TempDir
    private Path directory;

    private final TestDatabase database = TestDatabase.create(DatabaseKind.SQLITE);

    @AfterEach
    void removeDatabase() {
        database.close();
    }

    private ApplicationContextRunner runner() {
        return StarterRunner.on(database, directory);
    }

    private Path keyring() {
        return StarterRunner.keyring(directory);
    }

    @Test
    void keyringWhenNoRegistryIsConfiguredThenNone() {
        StarterRunner.bare()
                .withPropertyValues("credential.keyring.location=file:" + keyring())
                .run(context -> assertThat(context).doesNotHaveBean(Keyring.class));
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void startWhenFirstThenCreatesFileForItsOwnerAlone() throws Exception {
        runner().run(context -> assertThat(context).hasSingleBean(Keyring.class));
        assertThat(Files.getPosixFilePermissions(keyring())).isEqualTo(PosixFilePermissions.fromString("rw-------"));
        assertThat(Files.getPosixFilePermissions(keyring().getParent()))
                .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void restartThenReadsTheSameKeyring() {
        String[] token = new String[1];
        runner().run(context -> token[0] = issue(context.getBean(ApiKeyRegistry.class)));
        runner().run(context -> assertThat(context.getBean(ApiKeyRegistry.class).verify(token[0]))
                .isPresent());
    }

    @Test
    void locationWhenItHasNoSchemeThenIsAFile() {
        runner().withPropertyValues("credential.keyring.location=" + directory.resolve("plain.json"))
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(directory.resolve("plain.json")).exists();
    }

    @Test
    void locationWhenBase64ThenIsRead() throws Exception {
        runner().run(context -> assertThat(context).hasNotFailed());
        String encoded = java.util.Base64.getEncoder().encodeToString(Files.readAllBytes(keyring()));
        Files.delete(keyring());
        runner().withPropertyValues("credential.keyring.location=base64:" + encoded)
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(keyring()).doesNotExist();
    }

    @Test
    void locationWhenResourceIsMissingThenExplains() {
        runner().withPropertyValues("credential.keyring.location=classpath:nowhere.json")
                .run(context -> {
                    FailureAnalysis analysis = Analyses.of(context);
                    assertThat(analysis.getDescription()).contains("nowhere.json", "cannot be read");
                    assertThat(analysis.getAction()).contains("credential.keyring.location");
                });
    }

    @Test
    void startWhenKeyringMayNotBeCreatedThenExplains() {
        runner().withPropertyValues("credential.keyring.create=false").run(context -> {
            FailureAnalysis analysis = Analyses.of(context);
            assertThat(analysis.getDescription()).contains("The keyring " + keyring() + " is missing");
            assertThat(analysis.getAction()).contains("credential.keyring.location", "credential.keyring.create");
        });
        assertThat(keyring()).doesNotExist();
    }

    @Test
    void startWhenKeyringIsLostThenExplainsAndNeverReplaces() throws Exception {
        runner().run(context -> issue(context.getBean(ApiKeyRegistry.class)));
        Files.delete(keyring());
        runner().run(context -> {
            FailureAnalysis analysis = Analyses.of(context);
            assertThat(analysis.getDescription()).contains("is missing", "sealed with it");
            assertThat(analysis.getAction()).contains("backup");
        });
        assertThat(keyring()).doesNotExist();
    }

    @Test
    void startWhenKeyringIsLostUnusedThenReplaces() throws Exception {
        runner().run(context -> assertThat(context).hasNotFailed());
        Files.delete(keyring());
        runner().run(context -> {
            assertThat(context).hasNotFailed();
            issue(context.getBean(ApiKeyRegistry.class));
        });
        assertThat(keyring()).exists();
    }

    @Test
    void startWhenGroupMayReadKeyringThenNamesTheProperty() throws Exception {
        runner().run(context -> assertThat(context).hasNotFailed());
        Files.setPosixFilePermissions(keyring(), PosixFilePermissions.fromString("rw-r-----"));
        runner().run(context ->
                assertThat(Analyses.of(context).getAction()).contains("credential.keyring.allow-group-read"));
        runner().withPropertyValues("credential.keyring.allow-group-read=true")
                .run(context -> assertThat(Analyses.of(context).getDescription())
                        .contains("readable by its group and writable by this process"));
    }

    @Test
    void ephemeralKeyringThenLeavesNoFile() {
        ApplicationContextRunner ephemeral = runner().withPropertyValues("credential.keyring.location=ephemeral:");
        ephemeral.run(context -> assertThat(context).hasNotFailed());
        ephemeral.run(context -> {
            ApiKeyRegistry registry = context.getBean(ApiKeyRegistry.class);
            assertThat(registry.verify(issue(registry))).isPresent();
        });
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void ephemeralKeyringWhenDataIsSealedThenRefused() {
        runner().run(context -> issue(context.getBean(ApiKeyRegistry.class)));
        runner().withPropertyValues("credential.keyring.location=ephemeral:").run(context -> {
            FailureAnalysis analysis = Analyses.of(context);
            assertThat(analysis.getDescription()).contains("ephemeral", "sealed with another");
            assertThat(analysis.getAction()).contains("credential.keyring.location");
        });
    }

    @Test
    void inlineKeyringWhenMalformedThenTextIsNotShown() {
        for (String malformed : List.of("base64:!c2VjcmV0c2VjcmV0", "base64:c2VjcmV0c2VjcmV0")) {
            runner().withPropertyValues("credential.keyring.location=" + malformed)
                    .run(context -> {
                        FailureAnalysis analysis = Analyses.of(context);
                        assertThat(analysis.getDescription())
                                .contains("credential.keyring.location")
                                .doesNotContain("c2VjcmV0", "secretsecret");
                        assertThat(context.getStartupFailure()).hasStackTraceContaining("keyring");
                        assertThat(stackTrace(Objects.requireNonNull(context.getStartupFailure())))
                                .doesNotContain("c2VjcmV0", "secretsecret");
                    });
        }
    }

    @Test
    void toStringWhenKeyringIsInlineThenDoesNotShowIt() {
        assertThat(new CredentialProperties.Keyring("base64:c2VjcmV0", null, false).toString())
                .doesNotContain("c2VjcmV0")
                .contains("base64:");
    }

    @Test
    void startWhenKeyringIsOfAnotherDatabaseThenExplains() throws Exception {
        runner().run(context -> assertThat(context).hasNotFailed());
        try (TestDatabase other = TestDatabase.create(DatabaseKind.SQLITE)) {
            Path elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
            StarterRunner.on(other, elsewhere)
                    .run(context -> assertThat(context).hasNotFailed());
            runner().withPropertyValues("credential.keyring.location=file:" + StarterRunner.keyring(elsewhere))
                    .run(context -> {
                        FailureAnalysis analysis = Analyses.of(context);
                        assertThat(analysis.getDescription()).contains("not the one of this database");
                        assertThat(analysis.getAction()).contains("backup");
                    });
        }
    }

    @Test
    void startWhenKeyringIsOpenToOthersThenExplains() throws Exception {
        runner().run(context -> assertThat(context).hasNotFailed());
        Files.setPosixFilePermissions(keyring(), PosixFilePermissions.fromString("rw-r--r--"));
        runner().run(context -> {
            FailureAnalysis analysis = Analyses.of(context);
            assertThat(analysis.getDescription()).contains("accessible to users other than its owner");
            assertThat(analysis.getAction()).contains("chmod 600");
        });
    }

    @Test
    void startWhenKeyringIsMalformedThenTextIsNotShown() throws Exception {
        Files.createDirectories(keyring().getParent());
        Files.writeString(keyring(), "{\"index\": \"c2VjcmV0c2VjcmV0\"");
        Files.setPosixFilePermissions(keyring(), PosixFilePermissions.fromString("rw-------"));
        runner().run(context -> {
            FailureAnalysis analysis = Analyses.of(context);
            assertThat(analysis.getDescription()).contains("malformed").doesNotContain("c2VjcmV0");
        });
    }

    @Test
    void keyringWhenApplicationHasOneThenNoneIsCreated() {
        Keyring own = Keyring.generate(new SecureRandom());
        runner().withBean("own", Keyring.class, () -> own).run(context -> {
            assertThat(context).hasSingleBean(Keyring.class);
            assertThat(context.getBean(Keyring.class)).isSameAs(own);
        });
        assertThat(keyring()).doesNotExist();
    }

    @Test
    void startWhenKeyOfRenamedTableIsMissingThenRefused() {
        SecretBytes k1 = SecretBytes.random(32, new SecureRandom());
        SecretBytes k2 = SecretBytes.random(32, new SecureRandom());
        SecretBytes index = SecretBytes.random(32, new SecureRandom());
        ApplicationContextRunner renamed = runner().withPropertyValues(
                        "credential.webhook.dispatcher.enabled=true",
                        "credential.webhook.dispatcher.endpoints-table=hooks");
        renamed.withBean(Keyring.class, () -> Keyring.of("k1", Map.of("k1", k1), index))
                .run(context -> context.getBean(WebhookDispatcher.class)
                        .registerEndpoint(EndpointRegistration.of(
                                "partner", "https://1.1.1.1/", "a secret of the endpoint", "*")));

        renamed.withBean(Keyring.class, () -> Keyring.of("k2", Map.of("k2", k2), index))
                .run(context ->
                        assertThat(Analyses.of(context).getDescription()).contains("lacks the key 'k1'"));
    }

    @Test
    void keyringWhenBeansAreLazyThenIsOpenedAtTheStart() {
        runner().withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .run(context -> assertThat(keyring()).exists());
    }

    @Test
    void startWhenApplicationsKeyringIsAnotherThenRefused() {
        runner().run(context -> issue(context.getBean(ApiKeyRegistry.class)));
        runner().withBean("own", Keyring.class, () -> Keyring.generate(new SecureRandom()))
                .run(context -> assertThat(Analyses.of(context).getDescription())
                        .contains("bean of type Keyring", "not the one of this database"));
    }

    private static String stackTrace(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    private static String issue(ApiKeyRegistry registry) {
        return registry.issue(IssueRequest.forOwner("user-42").scopes("orders:read"))
                .key();
    }
}
