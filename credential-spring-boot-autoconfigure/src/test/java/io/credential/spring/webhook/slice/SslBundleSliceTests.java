package io.credential.spring.webhook.slice;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.test.context.TestPropertySource;

import io.credential.webhook.signature.WebhookSigners;

import static org.assertj.core.api.Assertions.assertThat;

/** A slice of an application whose signer sends with an SSL bundle. */
@WebMvcTest
@TestPropertySource(
        properties = {
            "credential.webhook.signers.partner.keys.v1=a secret of the tests",
            "credential.webhook.signers.partner.http.ssl-bundle=partner",
            "spring.ssl.bundle.pem.partner.options.enabled-protocols=TLSv1.3",
            "spring.ssl.bundle.pem.unused.truststore.certificate=file:/of/production/only.pem"
        })
class SslBundleSliceTests {

    @Autowired
    private WebhookSigners signers;

    @Test
    void signerWhenItHasAnSslBundleThenExists() {
        assertThat(signers.get("partner")).isNotNull();
    }
}
