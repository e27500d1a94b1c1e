package io.credential.spring.architecture;

import java.util.Arrays;
import java.util.EnumSet;
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

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which classes may mention which of our libraries. Only these are loaded where it is present. Conditions are not counted,
 * because annotations are read without loading what they name.
 */
class LibraryMentionTests {

    enum Product {
        API_KEYS(
                "io\\.credential\\.apikey\\..*",
                "security\\..*",
                "logging\\..*",
                "leak\\..*",
                "web\\.ApiKeyExceptionHandler.*",
                "autoconfigure\\.apikeys\\..*",
                "autoconfigure\\.ratelimit\\..*",
                "autoconfigure\\.properties\\.(ApiKeysProperties|ApiKeyRegistryProperties|ImportedToken).*",
                "autoconfigure\\.security\\.ApiKeySecurityAutoConfiguration",
                "autoconfigure\\.web\\.TrustedArgumentsAutoConfiguration\\$(WithoutSecurity|NoApiKeyArguments)",
                "autoconfigure\\.openapi\\.(OpenApiAutoConfiguration\\$Keys|ApiKeyCustomizer|ScopeCustomizer)",
                "autoconfigure\\.json\\.JsonTypes\\$ApiKeys",
                "autoconfigure\\.audit\\.AuditLogConfiguration\\$ApiKeys",
                "autoconfigure\\.database\\.ConfiguredSchema\\$(ApiKeys|Usage)",
                "autoconfigure\\.actuate\\.(ApiKey.*|Credentials.*|KeyView.*|RotatedKeyHandler|ExchangeMask)",
                "autoconfigure\\.actuate\\.EndpointsConfiguration\\$CredentialsConfiguration.*",
                "operations\\.internal\\.(Key|ExaminedKey).*",
                "autoconfigure\\.operations\\.internal\\.KeyOperationsConfiguration"),
        WEBHOOK_SIGNATURE(
                "io\\.credential\\.webhook\\.((signature|replay)\\.)?(internal\\.)?[A-Z].*",
                "webhook\\..*",
                "internal\\.redis\\.RedisNonceStore",
                "autoconfigure\\.(webhook|inbox)\\..*",
                "autoconfigure\\.redis\\.internal\\.RedisNonces",
                "autoconfigure\\.database\\.ConfiguredSchema\\$Nonces",
                "autoconfigure\\.properties\\.(internal\\.)?Webhook.*",
                "autoconfigure\\.json\\.JsonTypes\\$Signature",
                "operations\\.internal\\.InboundOperations.*",
                "autoconfigure\\.operations\\.internal\\.InboundOperationsConfiguration"),
        WEBHOOK_DELIVERY(
                "io\\.credential\\.webhook\\.(http|delivery|event)\\..*",
                "web\\.WebhookDispatcherExceptionHandler.*",
                "autoconfigure\\.database\\.ConfiguredSchema\\$Dispatcher",
                "autoconfigure\\.CredentialAutoConfiguration\\$Dispatchers",
                "autoconfigure\\.(dispatcher|internal\\.egress|event|sender)\\..*",
                "autoconfigure\\.properties\\.WebhookDispatcherProperties.*",
                "autoconfigure\\.json\\.JsonTypes\\$Delivering",
                "autoconfigure\\.actuate\\.(DispatcherHealth|Webhook.*)",
                "operations\\.internal\\.WebhookOperations.*",
                "autoconfigure\\.operations\\.internal\\.WebhookOperationsConfiguration",
                "autoconfigure\\.apikeys\\.(ApiKeyEvents|IdleKeyEvents|LeakedKeyEvents|OwnerEvents|ApiKeyRegistriesAutoConfiguration\\$Events)"),
        WEBHOOK_INBOX(
                "io\\.credential\\.webhook\\.inbox\\..*",
                "autoconfigure\\.inbox\\..*",
                "autoconfigure\\.database\\.ConfiguredSchema\\$Inbox",
                "autoconfigure\\.json\\.JsonTypes\\$Inbox",
                "autoconfigure\\.actuate\\.(WebhookInboxEndpoint.*|EndpointsConfiguration\\$InboxConfiguration)"),
        AUDIT_LOG(
                "io\\.credential\\.auditlog\\..*",
                "autoconfigure\\.audit\\.AuditLogConfiguration.*",
                "autoconfigure\\.database\\.ConfiguredSchema\\$AuditLog",
                "autoconfigure\\.json\\.JsonTypes\\$AuditLogs",
                "operations\\.internal\\.AuditOperations.*",
                "autoconfigure\\.operations\\.internal\\.AuditOperationsConfiguration",
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
        assertThat(OwnClasses.ALL.stream().filter(product::isMentionedBy).filter(type -> !product.mayMention(type)))
                .as("move it to a class that is loaded only with this library")
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void classWhenItUsesSuchAClassThenBelongsToIt(Product product) {
        Set<String> needing = OwnClasses.ALL.stream()
                .filter(product::isMentionedBy)
                .map(JavaClass::getName)
                .collect(Collectors.toSet());

        assertThat(OwnClasses.ALL.stream()
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
        Set<String> mixtures = OwnClasses.ALL.stream()
                .filter(Product.API_KEYS::isMentionedBy)
                .filter(type ->
                        Product.WEBHOOK_SIGNATURE.isMentionedBy(type) || Product.WEBHOOK_DELIVERY.isMentionedBy(type))
                .map(JavaClass::getSimpleName)
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(mixtures)
                .containsExactly("ApiKeyEvents", "Events", "IdleKeyEvents", "LeakedKeyEvents", "OwnerEvents");
    }

    /** Those that are missing together in MissingLibraryTests, apart from PostgreSQL's driver, which no class here uses. */
    @ParameterizedTest
    @EnumSource
    void libraryWhenUnrelatedThenNoClassUsesAnother(Unrelated library) {
        List<JavaClass> using =
                OwnClasses.ALL.stream().filter(library::isUsedBy).toList();

        assertThat(using).isNotEmpty();
        for (Unrelated other : EnumSet.complementOf(EnumSet.of(library))) {
            assertThat(using).as("let it be missing alone").noneMatch(other::isUsedBy);
        }
    }

    enum Unrelated {
        SPRINGDOC("org.springdoc."),
        ORM("org.springframework.orm."),
        LOGBACK("ch.qos.logback."),
        REDIS("org.springframework.data.redis.");

        private final String types;

        Unrelated(String types) {
            this.types = types;
        }

        boolean isUsedBy(JavaClass type) {
            return type.getDirectDependenciesFromSelf().stream()
                    .anyMatch(
                            dependency -> dependency.getTargetClass().getName().startsWith(types));
        }
    }
}
