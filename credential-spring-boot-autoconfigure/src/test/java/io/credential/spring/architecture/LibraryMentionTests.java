package io.credential.spring.architecture;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which classes may mention which of our libraries. Only these are loaded where it is present. Conditions are not counted,
 * because annotations are read without loading what they name.
 */
class LibraryMentionTests {

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> location.contains("credential-spring-boot-autoconfigure"))
            .importPackages("io.credential.spring");

    enum Product {
        API_KEYS(
                "io\\.credential\\.apikey\\..*",
                "security\\..*",
                "logging\\..*",
                "web\\.ApiKeyExceptionHandler.*",
                "autoconfigure\\.apikeys\\..*",
                "autoconfigure\\.ratelimit\\..*",
                "autoconfigure\\.properties\\.ApiKeysProperties.*",
                "autoconfigure\\.security\\.ApiKeySecurityAutoConfiguration",
                "autoconfigure\\.web\\.TrustedArgumentsAutoConfiguration\\$(WithoutSecurity|NoApiKeyArguments)",
                "autoconfigure\\.openapi\\.(OpenApiAutoConfiguration\\$Keys|ApiKeyCustomizer|ScopeCustomizer)",
                "autoconfigure\\.json\\.JsonTypes\\$ApiKeys",
                "autoconfigure\\.audit\\.AuditLogConfiguration\\$ApiKeys",
                "autoconfigure\\.database\\.ConfiguredSchema\\$ApiKeys",
                "autoconfigure\\.actuate\\.(ApiKey.*|Credentials.*|KeyView.*|RotatedKeyHandler|ExchangeMask)",
                "autoconfigure\\.actuate\\.EndpointsConfiguration\\$CredentialsConfiguration.*"),
        WEBHOOK_SIGNATURE(
                "io\\.credential\\.webhook\\.((signature|replay)\\.)?(internal\\.)?[A-Z].*",
                "webhook\\..*",
                "internal\\.redis\\.RedisNonceStore",
                "autoconfigure\\.webhook\\..*",
                "autoconfigure\\.redis\\.internal\\.RedisNonces",
                "autoconfigure\\.database\\.ConfiguredSchema\\$Nonces",
                "autoconfigure\\.properties\\.(internal\\.)?Webhook.*",
                "autoconfigure\\.json\\.JsonTypes\\$Signature"),
        WEBHOOK_DELIVERY(
                "io\\.credential\\.webhook\\.(http|delivery|event)\\..*",
                "web\\.WebhookDispatcherExceptionHandler.*",
                "autoconfigure\\.database\\.ConfiguredSchema\\$Dispatcher",
                "autoconfigure\\.CredentialAutoConfiguration\\$Dispatchers",
                "autoconfigure\\.(dispatcher|internal\\.egress|event|sender)\\..*",
                "autoconfigure\\.properties\\.WebhookDispatcherProperties.*",
                "autoconfigure\\.json\\.JsonTypes\\$Delivering",
                "autoconfigure\\.actuate\\.(DispatcherHealth|Webhook.*)",
                "autoconfigure\\.apikeys\\.(ApiKeyEvents|ApiKeyRegistriesAutoConfiguration\\$Events)"),
        AUDIT_LOG(
                "io\\.credential\\.auditlog\\..*",
                "autoconfigure\\.audit\\.AuditLogConfiguration.*",
                "autoconfigure\\.database\\.ConfiguredSchema\\$AuditLog",
                "autoconfigure\\.properties\\.AuditLogProperties");

        private final Pattern types;

        @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable
        private final List<Pattern> mentioning;

        Product(String types, String... mentioning) {
            this.types = Pattern.compile(types);
            this.mentioning = Arrays.stream(mentioning)
                    .map(name -> Pattern.compile("io\\.credential\\.spring\\." + name))
                    .collect(Collectors.toUnmodifiableList());
        }

        boolean mayMention(JavaClass type) {
            return mentioning.stream()
                    .anyMatch(pattern -> pattern.matcher(type.getName()).matches());
        }

        boolean isMentionedBy(JavaClass type) {
            return dependencies(type)
                    .anyMatch(target -> types.matcher(target.getName()).matches());
        }

        static Stream<JavaClass> dependencies(JavaClass type) {
            return type.getDirectDependenciesFromSelf().stream()
                    .filter(dependency -> !dependency.getDescription().contains("annotat"))
                    .map(Dependency::getTargetClass)
                    .map(JavaClass::getBaseComponentType);
        }
    }

    @ParameterizedTest
    @EnumSource
    void classWhenItMentionsALibraryThenBelongsToIt(Product product) {
        assertThat(CLASSES.stream().filter(product::isMentionedBy).filter(type -> !product.mayMention(type)))
                .as("move it to a class that is loaded only with this library")
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void classWhenItUsesSuchAClassThenBelongsToIt(Product product) {
        Set<String> needing = CLASSES.stream()
                .filter(product::isMentionedBy)
                .map(JavaClass::getName)
                .collect(Collectors.toSet());

        assertThat(CLASSES.stream()
                        .filter(type -> !product.mayMention(type))
                        .filter(type -> !type.getPackageName().contains(".autoconfigure")) // has conditions
                        .flatMap(type -> Product.dependencies(type)
                                .filter(target -> needing.contains(target.getName()))
                                .map(target -> type.getName() + " uses " + target.getName())))
                .as("without the library, the second class cannot be loaded")
                .isEmpty();
    }

    @Test
    void classWhenItMentionsKeysAndWebhooksThenIsListed() {
        Set<String> mixtures = CLASSES.stream()
                .filter(Product.API_KEYS::isMentionedBy)
                .filter(type ->
                        Product.WEBHOOK_SIGNATURE.isMentionedBy(type) || Product.WEBHOOK_DELIVERY.isMentionedBy(type))
                .map(JavaClass::getSimpleName)
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(mixtures).containsExactly("ApiKeyEvents", "Events");
    }
}
