package io.credential.webhook.http.internal.address;

import java.util.List;
import java.util.stream.Stream;

import io.credential.internal.net.AddressRange;

/**
 * The addresses of cloud metadata services, which return the credentials of a machine to any process on it. No option
 * allows them: a webhook sent there could expose the credentials.
 */
final class MetadataAddress {

    private static final List<AddressRange> ALL = Stream.of(
                    "169.254.169.0/24", // most clouds at .254, and the services beside it
                    "169.254.170.0/24", // AWS: credentials of containers and pods
                    "169.254.0.23", // Tencent
                    "169.254.42.42", // Scaleway
                    "100.100.100.200", // Alibaba
                    "168.63.129.16", // Azure: the host of the virtual machine
                    "192.0.0.192", // Oracle
                    "fd00:ec2::254", // AWS
                    "fd00:ec2::23", // AWS: credentials of pods
                    "fd20:ce::254", // Google
                    "fd00:c1::a9fe:a9fe", // Oracle
                    "fd00:42::42", // Scaleway
                    "fd00:a9fe:a9fe::1", // Akamai (Linode)
                    "fe80::a9fe:a9fe") // OpenStack
            .map(AddressRange::of)
            .toList();

    private MetadataAddress() {}

    static boolean is(byte[] address) {
        return ALL.stream().anyMatch(range -> range.contains(address));
    }
}
