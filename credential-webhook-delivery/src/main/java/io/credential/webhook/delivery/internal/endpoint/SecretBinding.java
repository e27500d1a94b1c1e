package io.credential.webhook.delivery.internal.endpoint;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.credential.seal.internal.CellAddress;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.SignatureScheme;
import io.credential.webhook.delivery.internal.queue.DispatcherTables;
import io.credential.webhook.delivery.internal.queue.SecretCells;

/**
 * The id, URL and audience that the sealed secrets and headers of an endpoint are bound to; they do not open with others. An
 * attacker who can write to the database, but lacks the keyring, thus cannot have webhooks signed for another destination. A
 * secret that was rotated is also bound to its kid, one of another scheme to that scheme and its header, and the previous one to
 * the end of its overlap, which thus cannot be extended.
 *
 * @param audience null for none
 */
record SecretBinding(
        String endpointId, String url, @Nullable String audience) {

    static SecretBinding of(EndpointRegistration registration) {
        return new SecretBinding(registration.endpointId(), registration.url(), registration.audience());
    }

    CellAddress secret(SecretCells cells) {
        // None of kid, scheme and header is a URL, which follows them.
        return address("secret", cells, cells.number() == 1 ? List.of() : List.of(EndpointSecrets.kid(cells)));
    }

    CellAddress previousSecret(SecretCells cells) {
        return address(
                "previous_secret",
                cells,
                List.of(EndpointSecrets.previousKid(cells), Long.toString(cells.previousUntil())));
    }

    CellAddress headers() {
        return address("headers", List.of());
    }

    /** A secret must not sign under another scheme or header: its bytes would mean another key, or nobody would verify. */
    private CellAddress address(String column, SecretCells cells, List<String> further) {
        List<String> bound = new ArrayList<>(further);
        String header = cells.signatureHeader();
        if (header != null) {
            bound.add(cells.scheme().text() + ":" + header); // one value, so that no header can pass for a scheme
        } else if (cells.scheme() != SignatureScheme.CREDENTIAL) {
            bound.add(cells.scheme().text());
        }
        return address(column, bound);
    }

    private CellAddress address(String column, List<String> further) {
        List<String> bound = new ArrayList<>(further);
        bound.add(url);
        if (audience != null) {
            bound.add(audience);
        }
        return new CellAddress(DispatcherTables.LOGICAL_ENDPOINTS, column, "", endpointId, bound);
    }

    /** Without the URL, which may contain a secret. */
    @Override
    public String toString() {
        return "SecretBinding[" + endpointId + "]";
    }
}
