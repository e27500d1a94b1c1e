package io.credential.architecture;

import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;

/** Calls, and method references, which ArchUnit does not count as calls. */
final class Calls {

    private Calls() {}

    /** @param patterns {@code owner#method}, each a regular expression */
    static DescribedPredicate<JavaCodeUnitAccess<?>> of(String description, String... patterns) {
        List<Predicate<String>> predicates = Arrays.stream(patterns)
                .map(pattern -> Pattern.compile(pattern).asMatchPredicate())
                .toList();
        return DescribedPredicate.describe(description, call -> {
            AccessTarget target = call.getTarget();
            String name = target.getOwner().getFullName() + "#" + target.getName();
            return predicates.stream().anyMatch(predicate -> predicate.test(name));
        });
    }

    static ArchCondition<JavaClass> call(DescribedPredicate<? super JavaCodeUnitAccess<?>> code) {
        return new ArchCondition<>("call code " + code.getDescription()) {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                type.getAccessesFromSelf().stream()
                        .filter(JavaCodeUnitAccess.class::isInstance)
                        .map(access -> (JavaCodeUnitAccess<?>) access)
                        .forEach(access -> events.add(
                                new SimpleConditionEvent(access, code.test(access), access.getDescription())));
            }
        };
    }
}
