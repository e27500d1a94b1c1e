package io.credential.spring.webhook;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import jakarta.servlet.http.HttpServletRequest;

/**
 * Lets a few verifications run at once and others wait: post-quantum signatures cost milliseconds of a processor, which
 * whoever knows a kid can ask for. Thread-safe.
 *
 * @since 0.1.0
 */
public final class BoundedSignatureCheck implements SignatureCheck {

    private final SignatureCheck check;
    private final Semaphore permits;
    private final Duration maxWait;

    /**
     * @param permits shared by all that draw on the same processors
     * @param maxWait how long a request waits for its turn; after that it fails
     */
    public BoundedSignatureCheck(SignatureCheck check, Semaphore permits, Duration maxWait) {
        this.check = check;
        this.permits = permits;
        this.maxWait = maxWait;
    }

    @Override
    public BodyCheck examine(HttpServletRequest request) {
        BodyCheck rest = check.examine(request);
        return body -> {
            await();
            try {
                return rest.verify(body);
            } finally {
                permits.release();
            }
        };
    }

    private void await() {
        try {
            if (!permits.tryAcquire(maxWait.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new IllegalStateException(
                        "No signature could be verified within " + maxWait + ": too many are waiting");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting to verify a signature", e);
        }
    }
}
