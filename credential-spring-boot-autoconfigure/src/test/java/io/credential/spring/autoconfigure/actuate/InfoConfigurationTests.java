package io.credential.spring.autoconfigure.actuate;

import java.nio.file.Path;
import java.util.Map;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.credential.spring.autoconfigure.StarterRunner;
import io.credential.testing.DatabaseKind;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.MAP;

class InfoConfigurationTests {

    @TempDir
    private Path directory;

    @AutoClose
    private final TestDatabase database = TestDatabase.create(DatabaseKind.SQLITE);

    @Test
    void infoThenTellsTheConfigurationWithoutSecrets() {
        runner().withPropertyValues("management.info.credential.enabled=true", "credential.cluster.node-id=node-1")
                .run(context -> {
                    Info.Builder info = new Info.Builder();
                    context.getBean(InfoContributor.class).contribute(info);

                    assertThat(info.build().get("credential"))
                            .asInstanceOf(MAP)
                            .containsEntry("mode", "single")
                            .containsEntry("nodeId", "node-1")
                            .containsEntry("registries", Map.of("live", "bk_live"))
                            .containsEntry("dispatcher", false)
                            .containsOnlyKeys("mode", "nodeId", "registries", "dispatcher", "inbound");
                });
    }

    @Test
    void contextWhenNotEnabledThenNoContributor() {
        runner().run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(InfoContributor.class));
    }

    @Test
    void contextWhenActuatorIsAbsentThenStarts() {
        runner().withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(InfoConfiguration.class));
    }

    private ApplicationContextRunner runner() {
        return StarterRunner.on(database, directory)
                .withConfiguration(AutoConfigurations.of(ActuatorAutoConfiguration.class));
    }
}
