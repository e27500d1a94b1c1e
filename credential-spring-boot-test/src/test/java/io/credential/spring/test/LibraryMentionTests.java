package io.credential.spring.test;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

/** Which classes may mention which library. A test loads the others in applications that lack it. */
class LibraryMentionTests {

    private static final String[] KEYS = {"io.credential.apikey"};
    private static final String[] WEBHOOKS = {"io.credential.webhook", "org.apache.hc"};

    private static final JavaClasses CLASSES = new ClassFileImporter().importPath(Path.of("target", "classes"));

    @Test
    void classWhenEachContextLoadsItThenMentionsNone() {
        noClasses()
                .that()
                .resideInAPackage("io.credential.spring.test.autoconfigure")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.credential.apikey..",
                        "io.credential.webhook..",
                        "io.credential.auditlog..",
                        "org.springframework.security..",
                        "jakarta.servlet..")
                .check(CLASSES);
    }

    @Test
    void classWhenItMentionsKeysAndWebhooksThenIsListed() {
        Set<String> mixtures = CLASSES.stream()
                .filter(type -> mentions(type, KEYS) && mentions(type, WEBHOOKS))
                .map(JavaClass::getSimpleName)
                .collect(Collectors.toSet());

        assertThat(mixtures)
                .as("its methods are independent of each other, and all with one name are of one product")
                .containsExactly("CredentialRequestPostProcessors");
    }

    private static boolean mentions(JavaClass type, String... packages) {
        return type.getDirectDependenciesFromSelf().stream()
                .map(dependency -> dependency.getTargetClass().getBaseComponentType())
                .anyMatch(target -> Arrays.stream(packages)
                        .anyMatch(name -> target.getPackageName().startsWith(name)));
    }
}
