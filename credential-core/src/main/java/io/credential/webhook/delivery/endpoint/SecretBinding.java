package io.credential.webhook.delivery.endpoint;

import java.util.List;

import org.jspecify.annotations.Nullable;

import io.credential.seal.CellAddress;
import io.credential.webhook.delivery.queue.DispatcherTables;

/**
 * The id, URL and audience that the sealed secret and headers of an endpoint are bound to; they do not open with others. An
 * attacker who can write to the database, but lacks the keyring, thus cannot have webhooks signed for another destination.
 *
 * @param audience null for none
 */
record SecretBinding(
        String endpointId, String url, @Nullable String audience) {

    CellAddress secret() {
        return address("secret");
    }

    CellAddress headers() {
        return address("headers");
    }

    private CellAddress address(String column) {
        List<String> bound = audience == null ? List.of(url) : List.of(url, audience);
        return new CellAddress(DispatcherTables.LOGICAL_ENDPOINTS, column, "", endpointId, bound);
    }

    /** Without the URL, which may contain a secret. */
    @Override
    public String toString() {
        return "SecretBinding[" + endpointId + "]";
    }
}
