package io.credential.spring.leak.internal;

import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;

/** A public key on the curve P-256, which verifies ECDSA signatures over SHA-256. Thread-safe. */
public final class ReportKey {

    private static final String BEGIN = "-----BEGIN PUBLIC KEY-----";
    private static final String END = "-----END PUBLIC KEY-----";
    private static final int MAX_PEM = 4096;
    private static final int MAX_SIGNATURE = 256;

    private final PublicKey key;

    private ReportKey(PublicKey key) {
        this.key = key;
    }

    /**
     * Reads a key in PEM form.
     *
     * @throws IllegalArgumentException if it is not the only block of the text, or not a key of this kind
     */
    public static ReportKey fromPem(String pem) {
        String text = pem.strip();
        if (text.length() > MAX_PEM || !text.startsWith(BEGIN) || !text.endsWith(END)) {
            throw new IllegalArgumentException("It must be one PEM block with the label PUBLIC KEY");
        }
        String base64 =
                text.substring(BEGIN.length(), text.length() - END.length()).replaceAll("[ \\t\\r\\n]", "");
        try {
            PublicKey key = KeyFactory.getInstance("EC")
                    .generatePublic(new X509EncodedKeySpec(Base64.getDecoder().decode(base64)));
            if (key instanceof ECPublicKey ec && isP256(ec.getParams())) {
                return new ReportKey(key);
            }
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new IllegalArgumentException("It must be a public key for ECDSA on the curve P-256", e);
        }
        throw new IllegalArgumentException("It must be a public key for ECDSA on the curve P-256");
    }

    private static boolean isP256(ECParameterSpec curve) throws GeneralSecurityException {
        AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC");
        parameters.init(new ECGenParameterSpec("secp256r1"));
        ECParameterSpec expected = parameters.getParameterSpec(ECParameterSpec.class);
        return curve.getCurve().equals(expected.getCurve())
                && curve.getGenerator().equals(expected.getGenerator())
                && curve.getOrder().equals(expected.getOrder());
    }

    /** Returns whether this is a signature of these bytes: DER in base64. */
    boolean verifies(byte[] signed, String signature) {
        if (signature.length() > MAX_SIGNATURE) {
            return false;
        }
        try {
            byte[] der = Base64.getDecoder().decode(signature);
            Signature verifier = Signature.getInstance("SHA256withECDSA");
            verifier.initVerify(key);
            verifier.update(signed);
            return verifier.verify(der);
        } catch (SignatureException | IllegalArgumentException e) {
            return false; // malformed
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("The JDK cannot verify ECDSA signatures", e);
        }
    }
}
