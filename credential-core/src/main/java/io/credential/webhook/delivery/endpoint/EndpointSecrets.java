package io.credential.webhook.delivery.endpoint;

import java.security.SecureRandom;

import io.credential.seal.Keyring;
import io.credential.seal.SealException;
import io.credential.seal.Sealer;
import io.credential.seal.UnknownSealKeyException;
import io.credential.secret.SecretBytes;

/**
 * Seals the secret of an endpoint to its id, URL and audience, and opens it again.
 *
 * @since 0.1.0
 */
public final class EndpointSecrets {

    private final Sealer sealer;
    private final boolean migrationWindow;

    /** @param migrationWindow whether cells of the plain form are read */
    public EndpointSecrets(Keyring keyring, SecureRandom random, boolean migrationWindow) {
        this.sealer = new Sealer(keyring, random);
        this.migrationWindow = migrationWindow;
    }

    boolean isMigrationWindowOpen() {
        return migrationWindow;
    }

    String seal(SecretBinding binding, SecretBytes secret) {
        return secret.use(bytes -> sealer.seal(binding.address(), bytes));
    }

    /**
     * @throws SealException if the cell does not open
     * @throws UnknownSealKeyException if the keyring lacks its key
     */
    SecretBytes open(SecretBinding binding, String cell) {
        return SecretBytes.copyAndWipe(
                migrationWindow
                        ? sealer.openPlainOrBound(binding.address(), cell)
                        : sealer.open(binding.address(), cell));
    }

    /** Returns whether a cell is bound to its row and sealed under the active key. */
    boolean isCurrent(String cell) {
        return sealer.isCurrent(cell);
    }
}
