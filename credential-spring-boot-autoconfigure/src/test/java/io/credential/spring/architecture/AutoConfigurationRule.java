package io.credential.spring.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaParameter;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;

import io.credential.spring.autoconfigure.CredentialClock;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.JavaModifier.FINAL;
import static com.tngtech.archunit.core.domain.JavaModifier.PUBLIC;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

/** What keeps the starter from changing an application that it was not asked to change. */
enum AutoConfigurationRule {
    FINAL_AND_PUBLIC(classes()
            .that()
            .areAnnotatedWith(AutoConfiguration.class)
            .should()
            .haveModifier(FINAL)
            .andShould()
            .haveModifier(PUBLIC)
            .because("applications name auto-configurations to exclude them, and extend none")),

    WITHOUT_PUBLIC_METHODS(noMethods()
            .that()
            .areDeclaredInClassesThat()
            .areAnnotatedWith(AutoConfiguration.class)
            .should()
            .bePublic()
            .because("the beans are the interface; how they are made is not")),

    LISTED_FOR_SPRING_BOOT(classes()
            .that()
            .areAnnotatedWith(AutoConfiguration.class)
            .should(beListed())
            .because("an auto-configuration that is not listed is silently not there")),

    CLASS_CONDITIONS_STAND_ON_CLASSES(noMethods()
            .that()
            .areAnnotatedWith(Bean.class)
            .should()
            .beAnnotatedWith(ConditionalOnClass.class)
            .because("the class with the method is loaded first, and fails before the condition is asked")),

    POST_PROCESSORS_ARE_STATIC(methods()
            .that()
            .areAnnotatedWith(Bean.class)
            .and()
            .haveRawReturnType(assignableToAny(
                    "org.springframework.beans.factory.config.BeanPostProcessor",
                    "org.springframework.beans.factory.config.BeanFactoryPostProcessor"))
            .should()
            .beStatic()
            .allowEmptyShould(true)
            .because("a post-processor of an instance drags its configuration into being too early")),

    NO_BEAN_THAT_CHANGES_THE_APPLICATION(noMethods()
            .that()
            .areAnnotatedWith(Bean.class)
            .should()
            .haveRawReturnType(assignableToAny(
                    "org.springframework.security.web.SecurityFilterChain",
                    "org.springframework.security.authentication.AuthenticationProvider",
                    "org.springframework.security.authentication.AuthenticationManager",
                    "org.springframework.security.web.authentication.AuthenticationConverter",
                    "jakarta.servlet.Filter",
                    "org.flywaydb.core.Flyway",
                    "java.time.Clock",
                    "org.springframework.scheduling.TaskScheduler",
                    "org.springframework.jdbc.core.simple.JdbcClient"))
            .because("Spring Boot and Spring Security silently back off, adopt or register them")),

    SEVERAL_BEANS_ARE_NOT_NONE(noClasses()
            .that()
            .resideInAPackage("..autoconfigure..")
            .and() // these tell several beans from none by themselves, or use one only if it is unique
            .haveNameNotMatching(".*\\.(SharedBeans|SelectedDataSource|TransactionManagers|ApplicationSecurity"
                    + "|CurrentActor(\\$.*)?|RedisStoresAutoConfiguration(\\$.*)?)")
            .should()
            .callMethodWhere(target(nameMatching("(get)?[iI]fUnique")).and(target(owner(type(ObjectProvider.class)))))
            .because("a default instead of the two beans that are there is a choice nobody made; use SharedBeans")),

    CONDITIONS_READ_VALUES_AS_PROPERTIES_DO(noClasses()
            .that()
            .resideInAPackage("..autoconfigure..")
            .should()
            .dependOnClassesThat(
                    nameMatching("org\\.springframework\\.boot\\..+\\.ConditionalOn(Boolean)?Propert(y|ies)"))
            .because("these compare text: a feature enabled with 'yes' would be missing; use ConditionalOnCredential")),

    SUBTYPES_OF_REPLACEABLE_BEANS_ARE_NOT_REQUIRED(methods()
            .that()
            .areAnnotatedWith(Bean.class)
            .should(requireNoTypeBelowAReplaceableOne())
            .because("a test that mocks the bean has only its interface; use ObjectProvider.getIfAvailable")),

    CLOCKS_ARE_MARKED(methods()
            .that()
            .areAnnotatedWith(Bean.class)
            .should(takeOnlyMarkedClocks())
            .because("a clock that the application has for itself must not decide when keys expire")),

    FEATURES_DO_NOT_KNOW_THEIR_WIRING(noClasses()
            .that()
            .resideInAnyPackage("..spring..security..", "..spring..web..", "..spring..webhook..")
            .and()
            .resideOutsideOfPackage("..autoconfigure..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.credential..autoconfigure..")
            .because("what users call must work where the auto-configuration is excluded")),

    OPERATIONS_KNOW_NEITHER_HTTP_NOR_WIRING(noClasses()
            .that()
            .resideInAPackage("..spring.operations..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.credential..autoconfigure..",
                    "org.springframework.boot..",
                    "org.springframework.http..",
                    "org.springframework.web..",
                    "jakarta.servlet..")
            .because("Actuator and the console share them, and neither knows the other")),

    PACKAGES_HAVE_NO_CYCLES(slices().assignedFrom(packagesWithTheirInternals())
            .should()
            .beFreeOfCycles()
            .because("packages that need each other are one package"));

    private static final String IMPORTS =
            "META-INF/spring/org.springframework.boot.autoconfigure.AutoConfiguration.imports";

    @SuppressWarnings("ImmutableEnumChecker") // nothing changes a rule once it is made
    private final ArchRule rule;

    AutoConfigurationRule(ArchRule rule) {
        this.rule = rule;
    }

    ArchRule rule() {
        return rule;
    }

    private static ArchCondition<JavaMethod> takeOnlyMarkedClocks() {
        return new ArchCondition<>("take a clock only with @CredentialClock") {

            @Override
            public void check(JavaMethod method, ConditionEvents events) {
                for (JavaParameter parameter : method.getParameters()) {
                    boolean clock = parameter.getType().getAllInvolvedRawTypes().stream()
                            .anyMatch(type -> type.isAssignableTo(InstantSource.class));
                    boolean marked = parameter.isAnnotatedWith(CredentialClock.class);
                    events.add(new SimpleConditionEvent(
                            method,
                            !clock || marked,
                            method.getFullName() + " takes a clock " + (marked ? "with" : "without")
                                    + " @CredentialClock"));
                }
            }
        };
    }

    private static ArchCondition<JavaMethod> requireNoTypeBelowAReplaceableOne() {
        return new ArchCondition<>("require no subtype of a type that is replaceable") {

            private final Set<Class<?>> replaceable = new HashSet<>();

            @Override
            public void init(Collection<JavaMethod> beans) {
                for (JavaMethod bean : beans) {
                    bean.getOwner()
                            .tryGetAnnotationOfType(ConditionalOnMissingBean.class)
                            .ifPresent(condition -> replaceable.addAll(List.of(condition.value())));
                    bean.tryGetAnnotationOfType(ConditionalOnMissingBean.class).ifPresent(condition -> {
                        replaceable.addAll(List.of(condition.value()));
                        replaceable.add(bean.getRawReturnType().reflect());
                    });
                }
            }

            @Override
            public void check(JavaMethod bean, ConditionEvents events) {
                for (JavaClass required : bean.getRawParameterTypes()) {
                    boolean below = replaceable.stream()
                            .anyMatch(type -> required.isAssignableTo(type) && !required.isEquivalentTo(type));
                    events.add(new SimpleConditionEvent(
                            bean, !below, bean.getFullName() + " requires " + required.getName()));
                }
            }
        };
    }

    private static DescribedPredicate<JavaClass> assignableToAny(String... types) {
        return DescribedPredicate.describe(
                "assignable to one of " + List.of(types),
                type -> Stream.of(types).anyMatch(type::isAssignableTo));
    }

    private static ArchCondition<JavaClass> beListed() {
        return new ArchCondition<>("be listed in " + IMPORTS) {

            private final Set<String> listed = listed();

            @Override
            public void check(JavaClass type, ConditionEvents events) {
                events.add(new SimpleConditionEvent(
                        type,
                        listed.contains(type.getName()),
                        type.getName() + " is " + (listed.contains(type.getName()) ? "" : "not ") + "listed"));
            }
        };
    }

    /** A package and its internals are one: the former is for users, the latter is how it works. */
    private static SliceAssignment packagesWithTheirInternals() {
        return new SliceAssignment() {

            @Override
            public SliceIdentifier getIdentifierOf(JavaClass type) {
                String name = type.getPackageName();
                return name.startsWith("io.credential.spring.")
                        ? SliceIdentifier.of(name.replace(".internal", ""))
                        : SliceIdentifier.ignore();
            }

            @Override
            public String getDescription() {
                return "packages with their internals";
            }
        };
    }

    private static Set<String> listed() {
        return AutoConfigurationRule.class
                .getClassLoader()
                .resources(IMPORTS)
                .flatMap(AutoConfigurationRule::lines)
                .collect(Collectors.toUnmodifiableSet());
    }

    private static Stream<String> lines(URL resource) {
        try (var stream = resource.openStream()) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8)
                    .lines().map(String::strip).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
