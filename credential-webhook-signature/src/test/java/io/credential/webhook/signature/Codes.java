package io.credential.webhook.signature;

import java.util.EnumSet;
import java.util.Set;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.WebhookException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What may be thrown where. */
public final class Codes {

    /** Of a request. */
    public static final Set<WebhookErrorCode> REQUEST =
            EnumSet.range(WebhookErrorCode.MISSING_HEADER, WebhookErrorCode.BAD_SIGNATURE);

    /** Of building a signer or verifier. */
    static final Set<WebhookErrorCode> CONSTRUCTION =
            EnumSet.range(WebhookErrorCode.BAD_OPTS, WebhookErrorCode.BAD_NONCE_STORE);

    private Codes() {}

    public static void assertRefused(String code, ThrowingCallable call) {
        assertThatExceptionOfType(WebhookException.class)
                .isThrownBy(call)
                .satisfies(e -> assertThat(e.code()).isEqualTo(code));
    }
}
