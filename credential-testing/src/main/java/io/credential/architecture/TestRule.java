package io.credential.architecture;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/**
 * What the tests of every module keep, so that no verdict depends on how fast a machine is. A class that cannot keep
 * them is named here, with the reason.
 */
public enum TestRule {
    NOTHING_SLEEPS(noClasses()
            .should(Calls.call(Calls.of(
                    "that sleeps",
                    "java\\.lang\\.Thread#sleep",
                    "java\\.util\\.concurrent\\.TimeUnit#sleep",
                    "java\\.util\\.concurrent\\.locks\\.LockSupport#park(Nanos|Until)")))
            .because("a test waits for a condition or moves a clock")),

    WAITS_ARE_PATIENT(noClasses()
            .that()
            .doNotHaveFullyQualifiedName("io.credential.testing.Patience")
            .and()
            .doNotHaveFullyQualifiedName("io.credential.testing.RawReceiver") // drips at a pace
            .should(Calls.call(waitsForALimitedTime()))
            .because("io.credential.testing.Patience has the one limit, which no slow machine exceeds")),

    WAITS_ARE_LIMITED(noClasses()
            .should(Calls.call(DescribedPredicate.describe("that waits without a limit", TestRule::isUnlimitedWait)))
            .because("a defect must fail its test, and not the build that waits for it; see Patience")),

    TESTS_HAVE_NO_DEADLINE(noClasses()
            .should()
            .dependOnClassesThat()
            .haveFullyQualifiedName("org.junit.jupiter.api.Timeout")
            .because("the build sets one for all tests, beyond the limit of every wait")),

    THREADS_ARE_WAITED_FOR(noClasses()
            .that()
            .doNotHaveFullyQualifiedName("io.credential.testing.LiveThreads")
            .should(Calls.call(Calls.of("that lists threads", "java\\.lang\\.Thread#getAllStackTraces")))
            .because("a thread that was stopped lives on for a moment")),

    TASKS_HAVE_THEIR_OWN_THREADS(noClasses()
            .should(Calls.call(DescribedPredicate.describe(
                    "that runs a task in the common pool", TestRule::isTaskWithoutExecutor)))
            .because("the common pool may have a single thread; io.credential.testing.TestThreads has one for each")),

    NO_TIME_IS_MEASURED(noClasses()
            .should()
            .callCodeUnitWhere(Calls.of("that measures time", "java\\.lang\\.System#nanoTime"))
            .because("what a test does is bounded by count, and how long it takes says nothing")),

    NAMES_SAY_WHAT_FOLLOWS(methods()
            .that()
            .areAnnotatedWith(Test.class)
            .or()
            .areAnnotatedWith(ParameterizedTest.class)
            .or()
            .areAnnotatedWith(RepeatedTest.class)
            .should()
            .haveNameMatching("(?=.{1,50}$)[a-z][A-Za-z0-9]*Then[A-Z0-9][A-Za-z0-9]*")
            .because("a test is named methodWhenConditionThenResult, in at most 50 characters"));

    @SuppressWarnings("ImmutableEnumChecker") // nothing changes a rule once it is made
    private final ArchRule rule;

    TestRule(ArchRule rule) {
        this.rule = rule;
    }

    /** The rule, to be checked against the test classes of a module. */
    public ArchRule rule() {
        return rule;
    }

    private static boolean isTaskWithoutExecutor(JavaCodeUnitAccess<?> call) {
        return call.getTargetOwner().isAssignableTo(CompletionStage.class)
                && call.getName().endsWith("Async")
                && call.getTarget().getRawParameterTypes().stream()
                        .noneMatch(parameter -> parameter.isEquivalentTo(Executor.class));
    }

    private static boolean isUnlimitedWait(JavaCodeUnitAccess<?> call) {
        JavaClass owner = call.getTargetOwner();
        var parameters = call.getTarget().getRawParameterTypes();
        boolean forThread = owner.isAssignableTo(Thread.class) && call.getName().equals("join");
        boolean forResult = owner.isAssignableTo(Future.class) && call.getName().matches("get|join");
        boolean forAll =
                owner.isAssignableTo(ExecutorService.class) && call.getName().matches("invokeA(ll|ny)");
        return ((forThread || forResult) && parameters.isEmpty()) || (forAll && parameters.size() == 1);
    }

    private static DescribedPredicate<JavaCodeUnitAccess<?>> waitsForALimitedTime() {
        return Calls.of("of Awaitility", "org\\.awaitility\\..+")
                .or(DescribedPredicate.describe("that waits for a limited time", TestRule::isTimedWait));
    }

    private static boolean isTimedWait(JavaCodeUnitAccess<?> call) {
        JavaClass owner = call.getTargetOwner();
        var parameters = call.getTarget().getRawParameterTypes();
        boolean untilATime = !parameters.isEmpty()
                && parameters.get(parameters.size() - 1).isEquivalentTo(TimeUnit.class)
                && call.getName().matches("await.*|get|join|waitFor|try.*|poll|offer|orTimeout|completeOnTimeout");
        boolean forMillis =
                owner.isEquivalentTo(Thread.class) && call.getName().equals("join") && !parameters.isEmpty();
        return forMillis || (untilATime && owner.getPackageName().startsWith("java."));
    }
}
