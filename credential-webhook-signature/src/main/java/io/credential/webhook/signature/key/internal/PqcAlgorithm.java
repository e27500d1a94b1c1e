package io.credential.webhook.signature.key.internal;

import java.util.Arrays;
import java.util.stream.Collectors;

import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.crypto.CipherParameters;
import org.bouncycastle.crypto.params.AsymmetricKeyParameter;
import org.bouncycastle.crypto.params.MLDSAParameters;
import org.bouncycastle.crypto.params.MLDSAPublicKeyParameters;
import org.bouncycastle.crypto.params.SLHDSAParameters;
import org.bouncycastle.crypto.params.SLHDSAPublicKeyParameters;
import org.jspecify.annotations.Nullable;

import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.WebhookException;

/** The post-quantum algorithms of FIPS 204 and FIPS 205 that are accepted, in pure mode with an empty context. */
enum PqcAlgorithm {
    ML_DSA_65("ml-dsa-65", NISTObjectIdentifiers.id_ml_dsa_65, 1952, 3309) {
        @Override
        AsymmetricKeyParameter publicKey(byte[] encoded) {
            return new MLDSAPublicKeyParameters(MLDSAParameters.ml_dsa_65, encoded);
        }
    },
    ML_DSA_87("ml-dsa-87", NISTObjectIdentifiers.id_ml_dsa_87, 2592, 4627) {
        @Override
        AsymmetricKeyParameter publicKey(byte[] encoded) {
            return new MLDSAPublicKeyParameters(MLDSAParameters.ml_dsa_87, encoded);
        }
    },
    SLH_DSA_SHAKE_256F("slh-dsa-shake-256f", NISTObjectIdentifiers.id_slh_dsa_shake_256f, 64, 49856) {
        @Override
        AsymmetricKeyParameter publicKey(byte[] encoded) {
            return new SLHDSAPublicKeyParameters(SLHDSAParameters.shake_256f, encoded);
        }

        @Override
        PqcPrimitive primitive(boolean forSigning, CipherParameters key) {
            return new SlhDsaPrimitive(forSigning, key);
        }
    };

    private final String text;

    @SuppressWarnings("ImmutableEnumChecker") // an object identifier does not change
    private final ASN1ObjectIdentifier oid;

    private final int publicKeyBytes;
    private final int signatureBytes;

    PqcAlgorithm(String text, ASN1ObjectIdentifier oid, int publicKeyBytes, int signatureBytes) {
        this.text = text;
        this.oid = oid;
        this.publicKeyBytes = publicKeyBytes;
        this.signatureBytes = signatureBytes;
    }

    /** Creates a public key from {@link #publicKeyBytes} bytes. */
    abstract AsymmetricKeyParameter publicKey(byte[] encoded);

    /**
     * Returns a primitive that signs or verifies with a key.
     *
     * @param key with a source of randomness if it is private
     */
    PqcPrimitive primitive(boolean forSigning, CipherParameters key) {
        return new MlDsaPrimitive(forSigning, key);
    }

    String text() {
        return text;
    }

    int publicKeyBytes() {
        return publicKeyBytes;
    }

    int signatureBytes() {
        return signatureBytes;
    }

    /**
     * Returns the algorithm of this name.
     *
     * @throws WebhookException {@code webhook/bad-alg} if there is none
     */
    static PqcAlgorithm of(String text) {
        return Arrays.stream(values())
                .filter(algorithm -> algorithm.text.equals(text))
                .findFirst()
                .orElseThrow(() -> new WebhookException(
                        WebhookErrorCode.BAD_ALG,
                        "The post-quantum algorithm '" + text + "' is not supported; use one of " + names()));
    }

    /** Returns null if no algorithm has this identifier. */
    static @Nullable PqcAlgorithm of(ASN1ObjectIdentifier oid) {
        return Arrays.stream(values())
                .filter(algorithm -> algorithm.oid.equals(oid))
                .findFirst()
                .orElse(null);
    }

    static String names() {
        return Arrays.stream(values()).map(PqcAlgorithm::text).collect(Collectors.joining(", "));
    }
}
