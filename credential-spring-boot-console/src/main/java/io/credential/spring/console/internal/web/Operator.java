package io.credential.spring.console.internal.web;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Objects;
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

    /** Returns the URL of an endpoint as the operator may see it: its path and query may contain a secret. */
    public String visibleUrl(String url) {
        return can(Access.PAYLOADS) ? url : host(url);
    }

    private static String host(String url) {
        try {
            return Objects.requireNonNullElse(new URI(url).getHost(), "");
        } catch (URISyntaxException e) {
            return ""; // of a redirect, or altered in the database
        }
    }

    /** Returns whether the operator may do this. */
    public boolean can(Access wanted) {
        return access.contains(wanted);
    }
}
