package io.credential.webhook.delivery.endpoint;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.credential.seal.CellAddress;
import io.credential.webhook.delivery.queue.DispatcherTables;
import io.credential.webhook.delivery.queue.SecretCells;

/**
 * The id, URL and audience that the sealed secrets and headers of an endpoint are bound to; they do not open with others. An
 * attacker who can write to the database, but lacks the keyring, thus cannot have webhooks signed for another destination. A
 * secret that was rotated is also bound to its kid, and the previous one to the end of its overlap, which thus cannot be extended.
 *
 * @param audience null for none
 */
record SecretBinding(
        String endpointId, String url, @Nullable String audience) {

    CellAddress secret(SecretCells cells) {
        // Nothing else is at the place of the kid: a URL is never v<number>.
        return address("secret", cells.number() == 1 ? List.of() : List.of(EndpointSecrets.kid(cells)));
    }

    CellAddress previousSecret(SecretCells cells) {
        return address(
                "previous_secret", List.of(EndpointSecrets.previousKid(cells), Long.toString(cells.previousUntil())));
    }

    CellAddress headers() {
        return address("headers", List.of());
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
