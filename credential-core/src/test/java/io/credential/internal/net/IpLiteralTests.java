package io.credential.internal.net;

import java.net.InetAddress;
import java.net.UnknownHostException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class IpLiteralTests {

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, 127.0.0.1",
        "127.1, 127.0.0.1",
        "127.0.1, 127.0.0.1",
        "127.65530, 127.0.255.250",
        "2130706433, 127.0.0.1",
        "017700000001, 127.0.0.1",
        "0x7f000001, 127.0.0.1",
        "0X7F.0.0.1, 127.0.0.1",
        "0177.0.0.1, 127.0.0.1",
        "0x7f.1, 127.0.0.1",
        "0xA9.0376.0xa9fe, 169.254.169.254",
        "010.8.8.8, 8.8.8.8",
        "0, 0.0.0.0",
        "0x, 0.0.0.0",
        "0x.0x.0x.0x, 0.0.0.0",
        "1.0x, 1.0.0.0",
        "4294967295, 255.255.255.255",
        "00000000000000000000000000000177.0.0.1, 127.0.0.1",
        "0x00000000000000000000000000007f.1, 127.0.0.1"
    })
    void parseIpv4WhenInAnyFormThenRead(String text, String expected) throws UnknownHostException {
        assertThat(IpLiteral.looksLikeIpv4(text)).isTrue();
        assertThat(IpLiteral.parseIpv4(text))
                .hasValue(InetAddress.getByName(expected).getAddress());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "256.0.0.1",
                "1.2.3.256",
                "1.2.3.4.5",
                "1.2.65536",
                "1.16777216",
                "4294967296",
                "99999999999999999999",
                "08.1.1.1",
                "0xg",
                "1..2",
                "a.1",
                ".1",
                "1.2.3.0x100",
                "-1",
                "example.123"
            })
    void parseIpv4WhenInvalidThenEmpty(String text) {
        assertThat(IpLiteral.parseIpv4(text)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"example.com", "1.example", "0x7f.com", "localhost", "a1", "123.a"})
    void looksLikeIpv4WhenItIsANameThenFalse(String text) {
        assertThat(IpLiteral.looksLikeIpv4(text)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "::",
                "::1",
                "1::",
                "2001:db8::1",
                "2001:DB8:0:0:0:0:0:1",
                "1:2:3:4:5:6:7:8",
                "1::8",
                "1:2:3:4:5:6:7::",
                "::2:3:4:5:6:7:8",
                "::ffff:1.2.3.4",
                "::1.2.3.4",
                "64:ff9b::192.0.2.1",
                "1:2:3:4:5:6:1.2.3.4",
                "fe80::a9fe:a9fe"
            })
    void parseIpv6WhenValidThenAsTheJdkReadsIt(String text) throws UnknownHostException {
        byte[] parsed = IpLiteral.parseIpv6(text).orElseThrow();

        assertThat(parsed).hasSize(16);
        assertThat(InetAddress.getByAddress(parsed)).isEqualTo(InetAddress.getByName(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":",
                ":::",
                "1",
                "1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:8:9",
                "1::2::3",
                ":1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:",
                "1:2:3:4:5:6:7:8::",
                "::1:2:3:4:5:6:7:8",
                "12345::",
                "g::",
                "::1.2.3",
                "::1.2.3.04",
                "::0x7f.0.0.1",
                "::256.1.1.1",
                "1.2.3.4::",
                "::1.2.3.4:5",
                "fe80::1%eth0",
                "1:2:3:4:5:6:7:1.2.3.4",
                "+1::",
                "\u0661::"
            })
    void parseIpv6WhenInvalidThenEmpty(String text) {
        assertThat(IpLiteral.parseIpv6(text)).isEmpty();
    }

    @Test
    void parseDottedDecimalWhenOtherNotationThenEmpty() {
        assertThat(IpLiteral.parseDottedDecimal("10.0.0.1")).isPresent();
        assertThat(IpLiteral.parseDottedDecimal("10.0.0.01")).isEmpty();
        assertThat(IpLiteral.parseDottedDecimal("10.1")).isEmpty();
        assertThat(IpLiteral.parseDottedDecimal("0xa.0.0.1")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.7, 192.0.2.7",
        "192.0.2.7:443, 192.0.2.7",
        "2001:db8::1, 2001:db8::1",
        "[2001:db8::1], 2001:db8::1",
        "[2001:db8::1]:65535, 2001:db8::1",
        "[::ffff:192.0.2.7]:443, ::ffff:192.0.2.7"
    })
    void parseClientWhenAddressThenReadWithoutPort(String text, String expected) {
        assertThat(IpLiteral.parseClient(text))
                .hasValue(IpLiteral.parse(expected).orElseThrow());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "[192.0.2.7]",
                "[2001:db8::1",
                "2001:db8::1]",
                "[2001:db8::1]443",
                "[2001:db8::1]:",
                "[2001:db8::1]:123456",
                "[2001:db8::1%eth0]",
                "fe80::1%1",
                "192.0.2.7:",
                "192.0.2.7:http",
                "192.0.2.7:443:443",
                "192.0.2:443",
                "192.0.2.07:443",
                "192.0.2.7, 192.0.2.8",
                "localhost",
                "localhost:80",
                "unknown"
            })
    void parseClientWhenNotAnAddressThenEmpty(String text) {
        assertThat(IpLiteral.parseClient(text)).isEmpty();
    }
}
