package io.credential.spring.security;

import jakarta.servlet.http.HttpServletRequest;

import io.credential.apikey.ApiKey;

/**
 * Refuses keys that were sent from a network that they do not allow, and reports them. The address is that which the
 * server reports. Thread-safe.
 */
final class NetworkRequirement {

    private final RejectionReport report;

    NetworkRequirement(RejectionReport report) {
        this.report = report;
    }

    /**
     * Checks where a verified key was sent from.
     *
     * @throws NetworkNotAllowedException if the address of the client is in none of its networks, or is unknown
     */
    void check(HttpServletRequest request, ApiKey key) {
        if (!key.allowsAddress(request.getRemoteAddr())) {
            report.networkNotAllowed(key, request.getRemoteAddr());
            throw new NetworkNotAllowedException();
        }
    }
}
