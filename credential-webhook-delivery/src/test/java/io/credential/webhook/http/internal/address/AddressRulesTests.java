package io.credential.webhook.http.internal.address;

import java.util.List;

import org.junit.jupiter.api.Test;

import io.credential.internal.net.IpLiteral;

import static org.assertj.core.api.Assertions.assertThat;

/** What the rules themselves promise, whoever calls them. */
class AddressRulesTests {

    @Test
    void objectionWhenMetadataAddressIsMappedThenForbidden() {
        AddressRules closedNetwork = new AddressRules(List.of(), true, address -> false);
        byte[] mapped = IpLiteral.parseIpv6("::ffff:169.254.169.254").orElseThrow();

        assertThat(mapped).hasSize(16);
        assertThat(closedNetwork.objection(mapped)).isPresent();
    }
}
