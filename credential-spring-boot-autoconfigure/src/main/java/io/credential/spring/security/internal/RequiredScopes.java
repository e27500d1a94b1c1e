package io.credential.spring.security.internal;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;

/**
 * Scopes that a caller needs: one of each group. A scope that is needed in any case is a group by itself. Immutable.
 *
 * @param groups each sorted
 */
public record RequiredScopes(List<List<String>> groups) implements Serializable {

    public static final RequiredScopes NONE = new RequiredScopes(List.of());

    public RequiredScopes {
        groups = groups.stream().map(List::copyOf).toList();
    }

    /** Returns the requirement of all scopes of the first collection, and of one of the second unless that is empty. */
    public static RequiredScopes of(Collection<String> all, Collection<String> anyOf) {
        List<List<String>> groups = new ArrayList<>();
        new TreeSet<>(all).forEach(scope -> groups.add(List.of(scope)));
        if (!anyOf.isEmpty()) {
            groups.add(List.copyOf(new TreeSet<>(anyOf)));
        }
        return new RequiredScopes(groups).distinct();
    }

    /** Returns both requirements together. */
    public RequiredScopes and(RequiredScopes other) {
        List<List<String>> both = new ArrayList<>(groups);
        both.addAll(other.groups);
        return new RequiredScopes(both).distinct();
    }

    private RequiredScopes distinct() {
        Set<List<String>> distinct = new LinkedHashSet<>();
        groups.stream()
                .filter(group -> group.size() == 1)
                .sorted((a, b) -> a.get(0).compareTo(b.get(0)))
                .forEach(distinct::add);
        distinct.addAll(groups);
        return new RequiredScopes(List.copyOf(distinct));
    }

    public boolean isEmpty() {
        return groups.isEmpty();
    }

    /** Returns all scopes that are mentioned, sorted. */
    public Set<String> names() {
        Set<String> names = new TreeSet<>();
        groups.forEach(names::addAll);
        return names;
    }

    /** Returns the scopes that are needed in any case, sorted. */
    public List<String> all() {
        return groups.stream()
                .filter(group -> group.size() == 1)
                .map(group -> group.get(0))
                .toList();
    }

    /** Returns the groups of several scopes, of each of which one is needed. */
    public List<List<String>> alternatives() {
        return groups.stream().filter(group -> group.size() > 1).toList();
    }

    /** Decides whether a caller has the scopes. */
    public ScopeDecision decide(@Nullable Authentication caller) {
        return new ScopeDecision(new RequiredScopes(groups.stream()
                .filter(group -> group.stream().noneMatch(scope -> HeldScopes.contain(caller, scope)))
                .toList()));
    }

    /** Returns the scopes for people, such as {@code orders:read, one of (a, b)}. */
    @Override
    public String toString() {
        List<String> parts = new ArrayList<>(all());
        alternatives().forEach(group -> parts.add("one of (" + String.join(", ", group) + ")"));
        return String.join(", ", parts);
    }
}
