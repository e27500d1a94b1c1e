package io.credential.webhook.http;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** The ranges of the IANA special-purpose registries, with arithmetic that shares nothing with the code under test. */
record SpecialRanges(BigInteger first, BigInteger last, int bytes, String cidr) {

    static final List<SpecialRanges> IPV4 = Stream.of(
                    "0.0.0.0/8",
                    "0.0.0.0/32",
                    "10.0.0.0/8",
                    "100.64.0.0/10",
                    "127.0.0.0/8",
                    "169.254.0.0/16",
                    "172.16.0.0/12",
                    "192.0.0.0/24",
                    "192.0.0.0/29",
                    "192.0.0.8/32",
                    "192.0.0.9/32",
                    "192.0.0.10/32",
                    "192.0.0.170/32",
                    "192.0.0.171/32",
                    "192.0.2.0/24",
                    "192.31.196.0/24",
                    "192.52.193.0/24",
                    "192.88.99.0/24",
                    "192.88.99.2/32",
                    "192.168.0.0/16",
                    "192.175.48.0/24",
                    "198.18.0.0/15",
                    "198.51.100.0/24",
                    "203.0.113.0/24",
                    "224.0.0.0/4",
                    "240.0.0.0/4",
                    "255.255.255.255/32")
            .map(SpecialRanges::of)
            .toList();

    static final List<SpecialRanges> IPV6 = Stream.of(
                    "::1/128",
                    "::/128",
                    "::/96",
                    "64:ff9b:1::/48",
                    "100::/64",
                    "100:0:0:1::/64",
                    "2001::/23",
                    "2001::/32",
                    "2001:1::1/128",
                    "2001:1::2/128",
                    "2001:1::3/128",
                    "2001:2::/48",
                    "2001:3::/32",
                    "2001:4:112::/48",
                    "2001:10::/28",
                    "2001:20::/28",
                    "2001:30::/28",
                    "2001:db8::/32",
                    "2002::/16",
                    "2620:4f:8000::/48",
                    "3fff::/20",
                    "5f00::/16",
                    "fc00::/7",
                    "fe80::/10",
                    "fec0::/10",
                    "ff00::/8")
            .map(SpecialRanges::of)
            .toList();

    private static final SpecialRanges GLOBAL_UNICAST = of("2000::/3");

    static SpecialRanges of(String cidr) {
        int slash = cidr.indexOf('/');
        try {
            byte[] address = InetAddress.getByName(cidr.substring(0, slash)).getAddress();
            int free = address.length * 8 - Integer.parseInt(cidr.substring(slash + 1));
            BigInteger first = new BigInteger(1, address);
            return new SpecialRanges(
                    first, first.add(BigInteger.ONE.shiftLeft(free)).subtract(BigInteger.ONE), address.length, cidr);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(cidr, e);
        }
    }

    boolean has(BigInteger address) {
        return first.compareTo(address) <= 0 && last.compareTo(address) >= 0;
    }

    /** First, last and some in between, the same ones at every run. */
    Stream<BigInteger> members() {
        Random random = new Random(cidr.hashCode());
        BigInteger size = last.subtract(first).add(BigInteger.ONE);
        return Stream.concat(
                Stream.of(first, last),
                Stream.generate(() -> first.add(new BigInteger(size.bitLength() + 8, random).mod(size)))
                        .limit(50));
    }

    /** The addresses just outside that are public by the registries, which is none where ranges touch. */
    Stream<BigInteger> publicNeighbours() {
        BigInteger end = BigInteger.ONE.shiftLeft(bytes * 8);
        return Stream.of(first.subtract(BigInteger.ONE), last.add(BigInteger.ONE))
                .filter(neighbour -> neighbour.signum() >= 0 && neighbour.compareTo(end) < 0)
                .filter(neighbour -> isPublic(neighbour, bytes));
    }

    static boolean isPublic(BigInteger address, int bytes) {
        return bytes == 4
                ? IPV4.stream().noneMatch(range -> range.has(address))
                : GLOBAL_UNICAST.has(address) && IPV6.stream().noneMatch(range -> range.has(address));
    }

    static InetAddress address(BigInteger value, int bytes) {
        byte[] result = new byte[bytes];
        byte[] raw = value.toByteArray();
        int length = Math.min(raw.length, bytes);
        System.arraycopy(raw, raw.length - length, result, bytes - length, length);
        try {
            return InetAddress.getByAddress(result);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }

    @Override
    public String toString() {
        return cidr;
    }
}
