package io.credential.webhook.signature;

import java.io.IOException;
import java.security.SecureRandom;
import java.util.Base64;

import org.bouncycastle.crypto.AsymmetricCipherKeyPair;
import org.bouncycastle.crypto.generators.MLDSAKeyPairGenerator;
import org.bouncycastle.crypto.generators.SLHDSAKeyPairGenerator;
import org.bouncycastle.crypto.params.AsymmetricKeyParameter;
import org.bouncycastle.crypto.params.MLDSAKeyGenerationParameters;
import org.bouncycastle.crypto.params.MLDSAParameters;
import org.bouncycastle.crypto.params.SLHDSAKeyGenerationParameters;
import org.bouncycastle.crypto.params.SLHDSAParameters;
import org.bouncycastle.crypto.util.PrivateKeyInfoFactory;
import org.bouncycastle.crypto.util.SubjectPublicKeyInfoFactory;

/** Fresh post-quantum key pairs, as PEM. */
public record TestKeys(AsymmetricKeyParameter privateParameters, String privateKey, String publicKey) {

    private static final SecureRandom RANDOM = new SecureRandom();

    static TestKeys mlDsa(MLDSAParameters parameters) {
        MLDSAKeyPairGenerator generator = new MLDSAKeyPairGenerator();
        generator.init(new MLDSAKeyGenerationParameters(RANDOM, parameters));
        return of(generator.generateKeyPair());
    }

    static TestKeys slhDsa(SLHDSAParameters parameters) {
        SLHDSAKeyPairGenerator generator = new SLHDSAKeyPairGenerator();
        generator.init(new SLHDSAKeyGenerationParameters(RANDOM, parameters));
        return of(generator.generateKeyPair());
    }

    static String privatePem(AsymmetricKeyParameter privateKey) {
        try {
            return pem(
                    "PRIVATE KEY",
                    PrivateKeyInfoFactory.createPrivateKeyInfo(privateKey).getEncoded());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    public static String pem(String label, byte[] der) {
        return "-----BEGIN " + label + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der)
                + "\n-----END " + label + "-----\n";
    }

    private static TestKeys of(AsymmetricCipherKeyPair pair) {
        try {
            return new TestKeys(
                    pair.getPrivate(),
                    privatePem(pair.getPrivate()),
                    pem(
                            "PUBLIC KEY",
                            SubjectPublicKeyInfoFactory.createSubjectPublicKeyInfo(pair.getPublic())
                                    .getEncoded()));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
