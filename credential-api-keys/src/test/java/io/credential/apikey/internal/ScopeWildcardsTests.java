package io.credential.apikey.internal;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class ScopeWildcardsTests {

    @ParameterizedTest
    @CsvSource({
        "orders:read, orders:read, true",
        "orders:read, orders:write, false",
        "*, orders:read, true",
        "*, orders, true",
        "orders:*, orders:read, true",
        "orders:*, orders:items:read, true",
        "orders:items:*, orders:items:read, true",
        "orders:items:*, orders:read, false",
        "orders:*, orders, false",
        "orders:*, 'orders:', false",
        "orders:*, ordersx:read, false",
        "orders:*, order:read, false",
        "orders:*, ORDERS:read, false",
        "orders*, orders:read, false",
        "orders:r*, orders:read, false",
        "*:read, orders:read, false",
        "orders:*:read, orders:items:read, false",
        "**, orders:read, false",
        "':*', orders:read, false",
        "':*', ':read', true",
        "orders:read, *, false",
        "orders:read, orders:*, false"
    })
    void grantsThenOnlyAtTheEndOfSegments(String held, String wanted, boolean granted) {
        assertThat(ScopeWildcards.grants(held, wanted)).isEqualTo(granted);
    }
}
