package io.credential.webhook.signature;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class VerifiedWebhookTests {

    private static final String DELIVERY = "0123456789abcdef0123456789abcdef";

    @Test
    void deliveryIdWhenSignedByDispatcherThenItsFirstPart() {
        assertThat(webhook(DELIVERY + "-01KDVDPX000000000000000000").deliveryId())
                .contains(DELIVERY);
        assertThat(webhook(DELIVERY + "-a-b").deliveryId()).contains(DELIVERY);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                DELIVERY,
                DELIVERY + "-",
                "0" + DELIVERY + "-a",
                "0123456789ABCDEF0123456789ABCDEF-a",
                "01KDVDPX000000000000000000",
                "-" + DELIVERY
            })
    void deliveryIdWhenOfAnotherFormThenEmpty(String id) {
        assertThat(webhook(id).deliveryId()).isEmpty();
    }

    @Test
    void senderWhenTheVerifierIsNamedThenItsName() {
        WebhookFixture fixture = new WebhookFixture();
        SignedWebhook signed = fixture.signer().build().sign(WebhookFixture.BODY);

        assertThat(fixture.verifier()
                        .name("partner")
                        .build()
                        .verify(WebhookFixture.BODY, WebhookFixture.headers(signed))
                        .sender())
                .isEqualTo("partner");
        assertThat(fixture.verifier()
                        .build()
                        .verify(WebhookFixture.BODY, WebhookFixture.headers(signed))
                        .sender())
                .isNull();
    }

    private static VerifiedWebhook webhook(String id) {
        return new VerifiedWebhook("hmac-sha3-512", "v1", 1, id);
    }
}
