package io.credential.webhook.signature.key.internal;

import java.io.ByteArrayOutputStream;

import org.bouncycastle.crypto.CipherParameters;
import org.bouncycastle.crypto.signers.SLHDSASigner;

/** SLH-DSA under one key. The signer takes its message in one piece, and is cheap to create. */
final class SlhDsaPrimitive implements PqcPrimitive {

    private final boolean forSigning;
    private final CipherParameters key;

    SlhDsaPrimitive(boolean forSigning, CipherParameters key) {
        this.forSigning = forSigning;
        this.key = key;
    }

    @Override
    public byte[] sign(byte[] head, byte[] body) {
        return signer().generateSignature(joined(head, body));
    }

    @Override
    public boolean verify(byte[] head, byte[] body, byte[] signature) {
        return signer().verifySignature(joined(head, body), signature);
    }

    private SLHDSASigner signer() {
        SLHDSASigner signer = new SLHDSASigner();
        signer.init(forSigning, key);
        return signer;
    }

    private static byte[] joined(byte[] head, byte[] body) {
        ByteArrayOutputStream both = new ByteArrayOutputStream(head.length + body.length);
        both.writeBytes(head);
        both.writeBytes(body);
        return both.toByteArray();
    }
}
