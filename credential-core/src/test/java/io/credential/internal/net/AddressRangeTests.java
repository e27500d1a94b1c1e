package io.credential.internal.net;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class AddressRangeTests {

    @ParameterizedTest
    @CsvSource({
        "192.0.2.0/24, 192.0.2.0/24",
        "192.0.2.7, 192.0.2.7/32",
        "192.0.2.7/24, 192.0.2.0/24",
        "192.0.2.255/25, 192.0.2.128/25",
        "0.0.0.0/0, 0.0.0.0/0",
        "2001:DB8:0:0:0:0:0:0/32, 2001:db8::/32",
        "2001:db8::1, 2001:db8::1/128",
        "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1/128",
        "2001:0:0:1:0:0:0:1, 2001:0:0:1::1/128",
        "2001:db8:0:0:1:0:0:1, 2001:db8::1:0:0:1/128",
        "::/0, ::/0",
        "::1, ::1/128",
        "fe80::/10, fe80::/10",
        "1:2:3:4:5:6:7:8/127, 1:2:3:4:5:6:7:8/127",
        "::ffff:192.0.2.0/120, 192.0.2.0/24",
        "::ffff:c000:207, 192.0.2.7/32",
        "::ffff:0:0/96, 0.0.0.0/0",
        "::ffff:0:0/95, ::fffe:0:0/95"
    })
    void parseWhenRangeThenCanonicalText(String text, String canonical) {
        assertThat(AddressRange.parse(text)).map(AddressRange::toString).hasValue(canonical);
        assertThat(AddressRange.of(canonical))
                .isEqualTo(AddressRange.of(text))
                .hasSameHashCodeAs(AddressRange.of(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "/24",
                "192.0.2.0/",
                "192.0.2.0/33",
                "192.0.2.0/-1",
                "192.0.2.0/+8",
                "192.0.2.0/24/24",
                "192.0.2.0/0024",
                "192.0.2/24",
                "192.0.02.0/24",
                "0xc0.0.2.0/24",
                "3221225984",
                "192.0.2.0 /24",
                " 192.0.2.0/24",
                "192.0.2.0/\u0662",
                "localhost",
                "example.org",
                "2001:db8::/129",
                "[2001:db8::]/32",
                "fe80::1%eth0",
                "fe80::%eth0/10",
                "*",
                "::ffff:192.0.2.0/129"
            })
    void parseWhenNotARangeThenEmpty(String text) {
        assertThat(AddressRange.parse(text)).isEmpty();
    }

    @Test
    void parseWhenTextIsLongThenEmpty() {
        assertThat(AddressRange.parse("0".repeat(1_000_000) + "::")).isEmpty();
    }

    @Test
    void ofWhenNotARangeThenFails() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AddressRange.of("10.0.0.0/33"))
                .withMessageContaining("10.0.0.0/33");
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.0/24, 192.0.2.255, true",
        "192.0.2.0/24, 192.0.3.0, false",
        "192.0.2.128/25, 192.0.2.127, false",
        "192.0.2.128/25, 192.0.2.128, true",
        "192.0.2.7, 192.0.2.7, true",
        "192.0.2.7, 192.0.2.6, false",
        "0.0.0.0/0, 255.255.255.255, true",
        "0.0.0.0/0, 2001:db8::1, false",
        "::/0, 192.0.2.7, false",
        "2001:db8::/33, 2001:db8:7fff::1, true",
        "2001:db8::/33, 2001:db8:8000::1, false",
        "::ffff:192.0.2.0/120, 192.0.2.7, true"
    })
    void containsWhenAddressThenComparedByBits(String range, String address, boolean contained) {
        assertThat(AddressRange.of(range).contains(IpLiteral.parse(address).orElseThrow()))
                .isEqualTo(contained);
    }

    @Test
    void hadBitsBeyondPrefixWhenAddressIsInsideThenTrue() {
        assertThat(AddressRange.of("192.0.2.7/24").hadBitsBeyondPrefix()).isTrue();
        assertThat(AddressRange.of("192.0.2.0/24").hadBitsBeyondPrefix()).isFalse();
        assertThat(AddressRange.of("192.0.2.7").hadBitsBeyondPrefix()).isFalse();
        assertThat(AddressRange.of("::ffff:192.0.2.7/120").hadBitsBeyondPrefix())
                .isTrue();
    }
}
