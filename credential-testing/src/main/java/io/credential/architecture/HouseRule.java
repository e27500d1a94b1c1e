package io.credential.architecture;

import org.jspecify.annotations.NullMarked;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.GeneralCodingRules;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/** What every production class of every module keeps. */
public enum HouseRule {
    TIME_IS_INJECTED(noClasses()
            .that(doNotWire())
            .should(Calls.call(readsTheWallClock()))
            .because("a clock that cannot be set cannot be tested, and two clocks disagree")),

    RANDOMNESS_IS_INJECTED(noClasses()
            .that(doNotWire())
            .should(Calls.call(drawsHiddenRandomness()))
            .because("where secrets come from is decided in one place")),

    PACKAGES_ARE_NULL_MARKED(classes()
            .should(resideInANullMarkedPackage())
            .because("null contracts are checked only where they are declared")),

    NAMES_SAY_THE_ROLE(noClasses()
            .should(haveANameWithoutARole())
            .because("such a name says that the class does not have its own job")),

    NOTHING_IS_PRINTED(noClasses()
            .that(areNoCommand())
            .should(GeneralCodingRules.ACCESS_STANDARD_STREAMS)
            .because("standard output belongs to the application; what must be told goes to the log")),

    LOGGERS_ARE_PRIVATE_CONSTANTS(fields().that()
            .haveRawType("org.slf4j.Logger")
            .should()
            .bePrivate()
            .andShould()
            .beStatic()
            .andShould()
            .beFinal()
            .allowEmptyShould(true)
            .because("a logger is not part of a class's state or interface"));

    @SuppressWarnings("ImmutableEnumChecker") // nothing changes a rule once it is made
    private final ArchRule rule;

    HouseRule(ArchRule rule) {
        this.rule = rule;
    }

    /** The rule, to be checked against the production classes of a module. */
    public ArchRule rule() {
        return rule;
    }

    /** A command runs in its own process and owns its standard output. */
    private static DescribedPredicate<JavaClass> areNoCommand() {
        return new DescribedPredicate<>("are not commands") {
            @Override
            public boolean test(JavaClass type) {
                return type.tryGetMethod("main", String[].class).isEmpty();
            }
        };
    }

    /**
     * Builders, configuration classes with the SharedBeans that they share, and commands choose the defaults that everything
     * else is handed.
     */
    private static DescribedPredicate<JavaClass> doNotWire() {
        return new DescribedPredicate<>("are not builders, configuration classes or commands") {
            @Override
            public boolean test(JavaClass type) {
                return areNoCommand().test(type)
                        && !type.getSimpleName().endsWith("Builder")
                        && !type.getSimpleName().equals("SharedBeans")
                        && !type.isMetaAnnotatedWith("org.springframework.context.annotation.Configuration");
            }
        };
    }

    /** An AuthorizationManager of Spring Security may be called so: there the word is the role's name. */
    private static ArchCondition<JavaClass> haveANameWithoutARole() {
        return new ArchCondition<>("have a name that ends with Impl, Util, Utils, Helper or Manager") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                boolean roleless = type.getSimpleName().matches(".*(Impl|Utils?|Helper|Manager)")
                        && type.getAllRawInterfaces().stream()
                                .map(JavaClass::getSimpleName)
                                .noneMatch(name -> name.endsWith("Manager"));
                events.add(new SimpleConditionEvent(type, roleless, type.getFullName() + " does not say its role"));
            }
        };
    }

    private static DescribedPredicate<JavaCodeUnitAccess<?>> readsTheWallClock() {
        return Calls.of(
                "that reads the wall clock",
                "java\\.time\\..+#now",
                "java\\.time\\.(Clock|InstantSource)#(system.*|tick(Millis|Seconds|Minutes))",
                "java\\.lang\\.System#currentTimeMillis",
                "java\\.util\\.Date#<init>");
    }

    private static DescribedPredicate<JavaCodeUnitAccess<?>> drawsHiddenRandomness() {
        return Calls.of(
                "that draws randomness itself",
                "java\\.security\\.SecureRandom#(<init>|getInstance|getInstanceStrong)",
                "java\\.util\\.Random#<init>",
                "java\\.util\\.UUID#randomUUID",
                "java\\.lang\\.Math#random",
                "java\\.util\\.concurrent\\.ThreadLocalRandom#current");
    }

    private static ArchCondition<JavaClass> resideInANullMarkedPackage() {
        return new ArchCondition<>("reside in a @NullMarked package") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                boolean marked = type.getPackage().isAnnotatedWith(NullMarked.class);
                events.add(new SimpleConditionEvent(
                        type, marked, type.getFullName() + " lies in a package that is not @NullMarked"));
            }
        };
    }
}
