package io.credential.architecture;

import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaCall;

/** Names calls by {@code owner#method}, each a regular expression. */
final class Calls {

    private Calls() {}

    static DescribedPredicate<JavaCall<?>> of(String description, String... patterns) {
        List<Predicate<String>> predicates = Arrays.stream(patterns)
                .map(pattern -> Pattern.compile(pattern).asMatchPredicate())
                .toList();
        return DescribedPredicate.describe(description, call -> {
            AccessTarget target = call.getTarget();
            String name = target.getOwner().getFullName() + "#" + target.getName();
            return predicates.stream().anyMatch(predicate -> predicate.test(name));
        });
    }
}
