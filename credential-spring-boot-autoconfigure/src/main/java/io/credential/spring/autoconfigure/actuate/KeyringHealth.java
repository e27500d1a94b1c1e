package io.credential.spring.autoconfigure.actuate;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

import io.credential.seal.internal.CellAddress;
import io.credential.seal.internal.Keyring;
import io.credential.seal.internal.Sealer;

/** Reports whether data can be sealed with the active key and opened again. Thread-safe. */
final class KeyringHealth extends AbstractHealthIndicator {

    private static final CellAddress NOWHERE = new CellAddress("health", "probe", "health", "probe");
    private static final byte[] PROBE = "probe".getBytes(StandardCharsets.US_ASCII);

    private final Keyring keyring;
    private final Sealer sealer;

    KeyringHealth(Keyring keyring, SecureRandom random) {
        this.keyring = keyring;
        this.sealer = new Sealer(keyring, random);
    }

    @Override
    protected void doHealthCheck(Health.Builder health) {
        health.withDetail("activeKey", keyring.activeKeyId());
        boolean opens = Arrays.equals(PROBE, sealer.open(NOWHERE, sealer.seal(NOWHERE, PROBE)));
        health.status(opens ? Status.UP : Status.DOWN);
    }
}
