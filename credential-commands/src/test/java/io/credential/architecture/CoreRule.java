package io.credential.architecture;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.function.Function;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

/**
 * The arrows between the packages of the core, and what only the core must keep. Each rule is made for a root package,
 * so that the same rule can be shown to bite on violations planted under another root.
 */
enum CoreRule {
    CONCURRENT_STANDS_ALONE(root -> arrows(root, "internal.concurrent", Library.SLF4J)
            .because("whatever runs in the background rests on it, and it on nothing")),

    NET_STANDS_ALONE(root -> classes()
            .that()
            .resideInAPackage(in(root, "internal.net"))
            .should()
            .onlyDependOnClassesThat(
                    resideInAnyPackage("java.lang..", "java.util..", "org.jspecify..", in(root, "internal.net"))
                            .or(belongToAnyOf(InetAddress.class, UnknownHostException.class)))
            .because("whoever reviews how an address is read must not have to ask what the network says")),

    THREADS_ARE_CREATED_IN_ONE_PLACE(root -> noClasses()
            .that()
            .doNotHaveFullyQualifiedName(root + ".internal.concurrent.DaemonThreads")
            .should(Calls.call(Calls.of(
                    "that creates a thread",
                    "java\\.lang\\.Thread#(<init>|startVirtualThread|ofVirtual|ofPlatform)",
                    "java\\.util\\.concurrent\\.Executors#(new.*|defaultThreadFactory)")))
            .because("a thread must not inherit the security context of the first caller, nor keep the JVM running")),

    SECRET_STANDS_ALONE(root -> arrows(root, "secret", Library.BOUNCY_CASTLE)
            .because("what handles secrets must be readable without the rest, and have the fewest ways out")),

    SEAL_USES_SECRET(root -> arrows(root, "seal", Library.BOUNCY_CASTLE, packages(root, "secret"))
            .because("sealing is cryptography over bytes and knows no database")),

    AUDIT_STANDS_ALONE(root -> arrows(root, "audit", Library.SLF4J, packages(root, "internal.concurrent", "secret"))
            .because("a sink is written by users, who should need nothing else for it")),

    OBSERVATION_STANDS_ALONE(root -> arrows(root, "observation", Library.MICROMETER, Library.SLF4J)
            .because("applications override conventions, and should need nothing of the observed features")),

    AUDIT_LOG_USES_SEAL_AND_STORAGE(root -> arrows(
                    root,
                    "auditlog",
                    Library.SPRING_JDBC,
                    Library.SLF4J,
                    packages(root, "secret", "seal", "audit", "storage"))
            .because("entries are stored and verified without knowing what happened")),

    STORAGE_KNOWS_NO_FEATURE(root -> arrows(
                    root,
                    "storage",
                    Library.SPRING_JDBC,
                    Library.FLYWAY,
                    Library.JACKSON,
                    Library.SQLITE,
                    Library.POSTGRESQL,
                    Library.SLF4J,
                    packages(root, "internal.concurrent", "secret"))
            .because("everything that is stored rests on it")),

    SQLITE_DRIVER_STANDS_APART(root -> arrows(
                    root,
                    "storage.internal.sqlite",
                    Library.SPRING_JDBC,
                    Library.SQLITE,
                    Library.SLF4J,
                    packages(root, "secret"))
            .because("what a new version of the driver may break must be found in one place")),

    SQLITE_DRIVER_ONLY_IN_ITS_PACKAGE(root -> onlyIn(packages(root, "storage.internal.sqlite"), Library.SQLITE)
            .because("applications on PostgreSQL do not have the driver")),

    KEYRING_JOINS_SEAL_AND_STORAGE(root -> arrows(
                    root,
                    "keyring",
                    Library.SPRING_JDBC,
                    Library.JACKSON,
                    Library.SLF4J,
                    packages(root, "internal.concurrent", "secret", "seal", "storage"))
            .because("keys are checked against a database before anything is sealed with them, whatever that is")),

    NOTIFICATIONS_KNOW_NO_FEATURE(root -> arrows(
                    root,
                    "internal.notification",
                    Library.SPRING_JDBC,
                    Library.POSTGRESQL,
                    Library.SLF4J,
                    packages(root, "internal.concurrent", "secret", "storage"))
            .because("one connection carries the messages of all features")),

    POSTGRESQL_DRIVER_ONLY_IN_STORAGE_AND_NOTIFICATIONS(
            root -> onlyIn(packages(root, "storage", "internal.notification"), Library.POSTGRESQL)
                    .because("applications on SQLite do not have the driver")),

    CACHES_USE_NOTIFICATIONS(
            root -> arrows(root, "apikey.internal.cache", Library.CAFFEINE, packages(root, "internal.notification"))
                    .because("a cache knows keys and values, not what they stand for or where they are read")),

    CLUSTER_USES_STORAGE(root -> arrows(
                    root,
                    "internal.cluster",
                    Library.SPRING_JDBC,
                    Library.SLF4J,
                    packages(root, "internal.concurrent", "secret", "seal", "storage", "internal.notification"))
            .because("the lease is a row and knows nothing of what it guards")),

    RATE_LIMITS_USE_STORAGE(root -> arrows(
                    root,
                    "ratelimit",
                    Library.SPRING_JDBC,
                    Library.CAFFEINE,
                    Library.BUCKET4J,
                    Library.SLF4J,
                    packages(root, "storage"))
            .because("a request is counted without knowing what it asks for")),

    BUCKET4J_ONLY_IN_RATE_LIMITS(root -> onlyIn(packages(root, "ratelimit"), Library.BUCKET4J)
            .because("another library for buckets must change one package only")),

    API_KEYS_USE_THE_LAYERS_BELOW(root -> arrows(
                    root,
                    "apikey",
                    Library.SPRING_JDBC,
                    Library.CAFFEINE,
                    Library.MICROMETER,
                    Library.SLF4J,
                    packages(
                            root,
                            "internal.concurrent",
                            "internal.net",
                            "secret",
                            "seal",
                            "audit",
                            "observation",
                            "storage",
                            "internal.notification",
                            "internal.cluster",
                            "ratelimit"))
            .because("the registry is built on the layers below it and on no web or wiring technology")),

    WEBHOOK_CODES_STAND_ALONE(root -> classes()
            .that()
            .resideInAnyPackage(codes(root))
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(all(Library.JDK, codes(root)))
            .because("the exception and its codes are what every part of the webhook side, and its users, share")),

    NONCES_USE_STORAGE(
            root -> arrows(root, "webhook.replay", Library.SPRING_JDBC, Library.CAFFEINE, packages(root, "storage"))
                    .because("a nonce is remembered without knowing what it stands for")),

    SIGNATURES_USE_NONCES_AND_NO_DATABASE(root -> arrows(
                    root,
                    "webhook.signature",
                    Library.BOUNCY_CASTLE,
                    Library.JACKSON,
                    Library.MICROMETER,
                    Library.SLF4J,
                    packages(root, "secret", "audit", "observation", "webhook.replay"),
                    codes(root))
            .because(
                    "signing and verifying are cryptography over bytes; where nonces are kept is behind an interface")),

    SIGNATURE_KEYS_STAND_ALONE(root -> arrows(
                    root,
                    "webhook.signature.key",
                    Library.BOUNCY_CASTLE,
                    Library.SLF4J,
                    packages(root, "secret"),
                    codes(root))
            .because("whoever reviews the cryptography must be able to read it without the headers around it")),

    SIGNATURE_KEYS_ONLY_IN_SIGNATURES(root -> onlyIn(
                    packages(root, "webhook.signature"), in(root, "webhook.signature.key"))
            .because("a key used elsewhere would sign without the headers, the audit trail and the time window")),

    INBOX_USES_SIGNATURES_AND_STORAGE(root -> arrows(
                    root,
                    "webhook.inbox",
                    Library.SPRING_JDBC,
                    Library.SLF4J,
                    packages(root, "internal.concurrent", "secret", "audit", "storage", "webhook.signature"))
            .because("an application that only receives webhooks has none of the parts that send them")),

    TYPED_EVENTS_STAND_ALONE(
            root -> arrows(root, "webhook.event", Library.JACKSON, new String[] {"org.springframework.core.."})
                    .because("a schema describes what a mapper writes, not how it is delivered")),

    WEBHOOK_HTTP_USES_SIGNATURES(root -> arrows(
                    root,
                    "webhook.http",
                    Library.HTTP_CLIENT,
                    Library.CAFFEINE,
                    Library.SLF4J,
                    packages(root, "internal.concurrent", "internal.net", "audit", "webhook.signature"),
                    codes(root))
            .because("a transport knows requests, not what they are about")),

    WEBHOOK_HTTP_SIGNS_ONLY_IN_THE_SENDER(root -> noClasses()
            .that()
            .resideInAPackage(in(root, "webhook.http"))
            .and()
            .haveNameNotMatching(".*\\.(WebhookSender(\\$.*)?|SendCall)")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(packages(root, "audit", "webhook.signature"))
            .because("whoever judges what keeps requests off the internal network must be able to read it by itself")),

    WEBHOOK_ADDRESSES_ARE_PURE(root -> classes()
            .that()
            .resideInAPackage(in(root, "webhook.http.internal.address"))
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage(
                            "java.lang..",
                            "java.util..",
                            "org.jspecify..",
                            in(root, "internal.net"),
                            in(root, "webhook.http.internal.address"))
                    .or(belongToAnyOf(InetAddress.class, UnknownHostException.class)))
            .because("whoever reviews the ranges must not have to ask what the network says")),

    WEBHOOK_DELIVERY_USES_THE_LAYERS_BELOW_AND_NO_LEADER(root -> arrows(
                    root,
                    "webhook.delivery",
                    Library.SPRING_JDBC,
                    Library.CAFFEINE,
                    Library.JACKSON,
                    Library.MICROMETER,
                    Library.SLF4J,
                    packages(
                            root,
                            "internal.concurrent",
                            "secret",
                            "seal",
                            "audit",
                            "observation",
                            "storage",
                            "internal.notification",
                            "ratelimit",
                            "webhook.event",
                            "webhook.http",
                            "webhook.signature"),
                    codes(root))
            .because("deliveries are signed and sent by the parts that do it for everyone, on every node")),

    WEBHOOK_DELIVERY_LEADS_ONE_WAY(root -> classes()
            .that()
            .resideInAPackage(in(root, "webhook.delivery"))
            .should(new DeliveryRooms(root).leadOneWay())
            .because("whoever follows an event through the dispatcher must never have to turn back")),

    HTTP_CLIENT_ONLY_IN_WEBHOOK_HTTP(root -> onlyIn(packages(root, "webhook.http"), Library.HTTP_CLIENT)
            .because("a client used elsewhere would connect to addresses that nobody has vetted")),

    COPY_USES_WHAT_IT_COPIES(root -> arrows(
                    root,
                    "copy",
                    Library.SPRING_JDBC,
                    packages(
                            root,
                            "storage",
                            "keyring",
                            "seal",
                            "apikey",
                            "ratelimit",
                            "auditlog",
                            "webhook.delivery",
                            "webhook.inbox",
                            "webhook.replay"))
            .because("the command opens two databases and starts nothing of an application")),

    COPY_IS_USED_BY_NOTHING(
            root -> onlyIn(packages(root, "copy"), in(root, "copy")).because("only an operator may start it")),

    API_KEYS_DO_NOT_SEE_WEBHOOKS(root -> noClasses()
            .that()
            .resideInAPackage(in(root, "apikey"))
            .should()
            .dependOnClassesThat()
            .resideInAPackage(in(root, "webhook"))
            .allowEmptyShould(true)
            .because("each of the two can be used, and read, without the other")),

    WEBHOOKS_DO_NOT_SEE_API_KEYS(root -> noClasses()
            .that()
            .resideInAPackage(in(root, "webhook"))
            .should()
            .dependOnClassesThat()
            .resideInAPackage(in(root, "apikey"))
            .allowEmptyShould(true)
            .because("each of the two can be used, and read, without the other")),

    NO_CYCLES(root -> slices().assignedFrom(features(root))
            .should()
            .beFreeOfCycles()
            .because("packages that need each other are one package")),

    ONLY_KNOWN_PACKAGES(root -> classes()
            .should()
            .resideInAnyPackage(packages(
                    root,
                    "internal.concurrent",
                    "internal.net",
                    "secret",
                    "seal",
                    "audit",
                    "observation",
                    "auditlog",
                    "storage",
                    "keyring",
                    "internal.notification",
                    "internal.cluster",
                    "ratelimit",
                    "apikey",
                    "webhook",
                    "copy"))
            .because("a package that no rule names is one that no rule holds")),

    NO_FRAMEWORK_BUT_JDBC(root -> classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(all(
                    new String[] {root + ".."},
                    Library.JDK,
                    Library.BOUNCY_CASTLE,
                    Library.SPRING_JDBC,
                    Library.FLYWAY,
                    Library.JACKSON,
                    Library.SQLITE,
                    Library.POSTGRESQL,
                    Library.CAFFEINE,
                    Library.BUCKET4J,
                    Library.HTTP_CLIENT,
                    Library.MICROMETER,
                    Library.SLF4J))
            .because("the core runs without Spring Boot, a servlet container and Spring Security")),

    JSON_ONLY_WHERE_IT_IS_STORED(
            root -> onlyIn(
                            packages(
                                    root,
                                    "storage",
                                    "keyring",
                                    "webhook.delivery",
                                    "webhook.event",
                                    "webhook.signature.scheme"),
                            Library.JACKSON)
                    .because(
                            "one mapper decides what is stored and authenticated, and that of the application only its events; a scheme reads ids")),

    SECRETS_ARE_COMPARED_IN_CONSTANT_TIME(root -> noClasses()
            .that()
            .resideInAnyPackage(in(root, "secret"), in(root, "seal"), in(root, "apikey"), in(root, "webhook.signature"))
            .should(Calls.call(comparesEarly()))
            .because("MessageDigest.isEqual takes as long for a near miss as for a far one; these do not")),

    /** Prefixes, namespaces, ids, formats, check values, encodings, two stored rows: none is a secret of the caller. */
    TEXT_IS_COMPARED_WHERE_IT_IS_PUBLIC(root -> noClasses()
            .that()
            .resideInAnyPackage(in(root, "secret"), in(root, "seal"), in(root, "apikey"))
            .and()
            .haveNameNotMatching(
                    ".*\\.(Argon2Phc|RowMac|Sealer|Keyring|JdbcApiKeyRegistries|TokenReader|Ticket(Issuer|Redeemer)|RowProtection"
                            + "|ApiKeyRow(\\$Identity)?|LastUses\\$Key|KeyDay|Key(Details|Importer)|ScopeWildcards)")
            .should(Calls.call(Calls.of("String.equals", "java\\.lang\\.String#equals")))
            .because("who compares text here must be named in this rule, after a look at what is compared"));

    @SuppressWarnings("ImmutableEnumChecker") // the functions hold no state
    private final Function<String, ArchRule> rule;

    CoreRule(Function<String, ArchRule> rule) {
        this.rule = rule;
    }

    ArchRule under(String root) {
        return rule.apply(root);
    }

    private static ArchRule arrows(String root, String from, String[]... to) {
        return classes()
                .that()
                .resideInAPackage(in(root, from))
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(all(all(to), Library.JDK, packages(root, from)));
    }

    private static ArchRule onlyIn(String[] users, String... library) {
        return noClasses()
                .that()
                .resideOutsideOfPackages(users)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(library);
    }

    /** The codes of errors, and the checks that throw them. */
    private static String[] codes(String root) {
        return new String[] {root + ".webhook", root + ".webhook.internal"};
    }

    /** A feature has its internals beside its public types, or has only internals. */
    private static SliceAssignment features(String root) {
        return new SliceAssignment() {
            @Override
            public SliceIdentifier getIdentifierOf(JavaClass type) {
                String name = type.getPackageName();
                return name.startsWith(root + ".")
                        ? SliceIdentifier.of(name.substring(root.length() + 1)
                                .replaceFirst("^internal\\.", "")
                                .replaceFirst("\\..*", ""))
                        : SliceIdentifier.ignore();
            }

            @Override
            public String getDescription() {
                return "features";
            }
        };
    }

    private static String in(String root, String name) {
        return root + "." + name + "..";
    }

    private static String[] packages(String root, String... names) {
        return Arrays.stream(names).map(name -> in(root, name)).toArray(String[]::new);
    }

    private static String[] all(String[]... patterns) {
        return Arrays.stream(patterns).flatMap(Arrays::stream).toArray(String[]::new);
    }

    private static DescribedPredicate<JavaCodeUnitAccess<?>> comparesEarly() {
        return Calls.of(
                "a comparison that stops at the first difference",
                "(java|org\\.bouncycastle)\\.util\\.Arrays#(equals|deepEquals|compare|compareUnsigned|mismatch|areEqual)",
                "java\\.lang\\.String#(contentEquals|equalsIgnoreCase|compareTo|compareToIgnoreCase)",
                "java\\.nio\\.ByteBuffer#(equals|compareTo|mismatch)");
    }

    /** Package patterns of the libraries that the core may use. */
    private static final class Library {
        static final String[] JDK = {
            "java..", "javax.crypto..", "javax.net.ssl..", "javax.sql..", "org.jspecify.annotations"
        };
        static final String[] BOUNCY_CASTLE = {"org.bouncycastle.."};
        static final String[] SLF4J = {"org.slf4j.."};
        static final String[] SPRING_JDBC = {
            "org.springframework.jdbc..",
            "org.springframework.transaction..",
            "org.springframework.dao..",
            "org.springframework.core..",
            "org.springframework.util.."
        };
        static final String[] FLYWAY = {"org.flywaydb.core.."};
        static final String[] JACKSON = {"tools.jackson..", "com.fasterxml.jackson.."};
        static final String[] CAFFEINE = {"com.github.benmanes.caffeine.cache.."};
        static final String[] BUCKET4J = {"io.github.bucket4j.."};
        static final String[] HTTP_CLIENT = {"org.apache.hc.."};
        static final String[] MICROMETER = {"io.micrometer.observation..", "io.micrometer.common.."};
        static final String[] POSTGRESQL = {"org.postgresql.."};
        static final String[] SQLITE = {"org.sqlite..", "com.zaxxer.hikari.."};
    }
}
