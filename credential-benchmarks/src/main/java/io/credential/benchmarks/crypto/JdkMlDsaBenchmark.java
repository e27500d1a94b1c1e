package io.credential.benchmarks.crypto;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Signs and verifies with ML-DSA of the JDK, which has it since version 24. */
@State(Scope.Thread)
@SuppressWarnings("NullAway.Init") // JMH calls prepare
public class JdkMlDsaBenchmark {

    private static final int BYTES = 1024;

    @Param({"ml-dsa-65", "ml-dsa-87"})
    public String algorithm;

    private byte[] body;
    private byte[] signature;
    private Signature signer;
    private Signature verifier;

    @Setup
    public void prepare() throws GeneralSecurityException {
        String name = algorithm.replace("ml-dsa", "ML-DSA");
        KeyPair pair = KeyPairGenerator.getInstance(name).generateKeyPair();
        body = Payload.bytes(BYTES);
        signer = Signature.getInstance(name);
        signer.initSign(pair.getPrivate());
        verifier = Signature.getInstance(name);
        verifier.initVerify(pair.getPublic());
        signature = sign();
    }

    @Benchmark
    public byte[] sign() throws GeneralSecurityException {
        signer.update(body);
        return signer.sign();
    }

    @Benchmark
    public boolean verify() throws GeneralSecurityException {
        verifier.update(body);
        return verifier.verify(signature);
    }
}
