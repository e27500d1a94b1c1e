package io.credential.benchmarks.rivals;

import java.net.URI;

import com.zaxxer.hikari.HikariDataSource;

/**
 * What all contenders have in common.
 *
 * @param pool of a database that is the contender's own, with a connection for each thread that may ask for one
 * @param url of the receiver
 * @param transport sends all webhooks
 * @param inFlight how many webhooks are sent at once
 */
record Setup(HikariDataSource pool, URI url, CountedTransport transport, int inFlight) {}
