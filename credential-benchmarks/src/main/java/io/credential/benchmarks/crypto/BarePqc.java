package io.credential.benchmarks.crypto;

import java.io.ByteArrayOutputStream;

import org.bouncycastle.crypto.AsymmetricCipherKeyPair;
import org.bouncycastle.crypto.CryptoException;
import org.bouncycastle.crypto.generators.MLDSAKeyPairGenerator;
import org.bouncycastle.crypto.generators.SLHDSAKeyPairGenerator;
import org.bouncycastle.crypto.params.MLDSAKeyGenerationParameters;
import org.bouncycastle.crypto.params.MLDSAParameters;
import org.bouncycastle.crypto.params.ParametersWithRandom;
import org.bouncycastle.crypto.params.SLHDSAKeyGenerationParameters;
import org.bouncycastle.crypto.params.SLHDSAParameters;
import org.bouncycastle.crypto.signers.MLDSASigner;
import org.bouncycastle.crypto.signers.SLHDSASigner;

/** The primitives of Bouncy Castle on reused instances. */
interface BarePqc {

    AsymmetricCipherKeyPair keyPair();

    byte[] sign(byte[] head, byte[] body) throws CryptoException;

    boolean verify(byte[] head, byte[] body, byte[] signature);

    /** Returns an instance with the same key pair in all JVMs: the attempts that a signature needs depend on the key. */
    static BarePqc of(String algorithm) {
        return switch (algorithm) {
            case "ml-dsa-65" -> new MlDsa(MLDSAParameters.ml_dsa_65);
            case "ml-dsa-87" -> new MlDsa(MLDSAParameters.ml_dsa_87);
            case "slh-dsa-shake-256f" -> new SlhDsa(SLHDSAParameters.shake_256f);
            default -> throw new IllegalArgumentException(algorithm);
        };
    }

    /** ML-DSA. */
    final class MlDsa implements BarePqc {

        private final AsymmetricCipherKeyPair pair;
        private final MLDSASigner signer = new MLDSASigner();
        private final MLDSASigner verifier = new MLDSASigner();

        MlDsa(MLDSAParameters parameters) {
            MLDSAKeyPairGenerator generator = new MLDSAKeyPairGenerator();
            generator.init(new MLDSAKeyGenerationParameters(new ZeroRandom(), parameters));
            pair = generator.generateKeyPair();
            signer.init(true, new ParametersWithRandom(pair.getPrivate(), new ZeroRandom()));
            verifier.init(false, pair.getPublic());
        }

        @Override
        public AsymmetricCipherKeyPair keyPair() {
            return pair;
        }

        @Override
        public byte[] sign(byte[] head, byte[] body) throws CryptoException {
            signer.update(head, 0, head.length);
            signer.update(body, 0, body.length);
            return signer.generateSignature();
        }

        @Override
        public boolean verify(byte[] head, byte[] body, byte[] signature) {
            verifier.update(head, 0, head.length);
            verifier.update(body, 0, body.length);
            return verifier.verifySignature(signature);
        }
    }

    /** SLH-DSA, which takes its message in one piece. */
    final class SlhDsa implements BarePqc {

        private final AsymmetricCipherKeyPair pair;
        private final SLHDSASigner signer = new SLHDSASigner();
        private final SLHDSASigner verifier = new SLHDSASigner();

        SlhDsa(SLHDSAParameters parameters) {
            SLHDSAKeyPairGenerator generator = new SLHDSAKeyPairGenerator();
            generator.init(new SLHDSAKeyGenerationParameters(new ZeroRandom(), parameters));
            pair = generator.generateKeyPair();
            signer.init(true, new ParametersWithRandom(pair.getPrivate(), new ZeroRandom()));
            verifier.init(false, pair.getPublic());
        }

        @Override
        public AsymmetricCipherKeyPair keyPair() {
            return pair;
        }

        @Override
        public byte[] sign(byte[] head, byte[] body) {
            return signer.generateSignature(joined(head, body));
        }

        @Override
        public boolean verify(byte[] head, byte[] body, byte[] signature) {
            return verifier.verifySignature(joined(head, body), signature);
        }

        private static byte[] joined(byte[] head, byte[] body) {
            ByteArrayOutputStream both = new ByteArrayOutputStream(head.length + body.length);
            both.writeBytes(head);
            both.writeBytes(body);
            return both.toByteArray();
        }
    }
}
