package io.credential.spring.console.internal.web;

import java.util.Set;

/**
 * Who uses the console.
 *
 * @param name as it is shown, and as audit events name it
 * @param access what the operator may do
 */
public record Operator(String name, Set<Access> access) {

    public Operator {
        access = Set.copyOf(access);
    }

    /** Returns whether the operator may do this. */
    public boolean can(Access wanted) {
        return access.contains(wanted);
    }
}
