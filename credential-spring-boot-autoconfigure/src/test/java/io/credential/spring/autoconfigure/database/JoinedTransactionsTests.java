package io.credential.spring.autoconfigure.database;

import java.nio.file.Path;
import javax.sql.DataSource;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.IssueRequest;
import io.credential.spring.autoconfigure.StarterRunner;
import io.credential.testing.DatabaseKind;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A change to the registry inside a transaction of the application lives and dies with it. */
class JoinedTransactionsTests {

    @TempDir
    private Path directory;

    private final TestDatabase database = TestDatabase.create(DatabaseKind.POSTGRESQL);

    @AfterEach
    void removeDatabase() {
        database.close();
    }

    private ApplicationContextRunner jdbc() {
        return StarterRunner.on(database, directory).withUserConfiguration(Signup.class);
    }

    private ApplicationContextRunner jpa() {
        return StarterRunner.on(database, directory)
                .withConfiguration(AutoConfigurations.of(HibernateJpaAutoConfiguration.class))
                .withUserConfiguration(JpaSignup.class);
    }

    private long count(String table) {
        return JdbcClient.create(database.dataSource())
                .sql("select count(*) from " + table)
                .query(Long.class)
                .single();
    }

    @Test
    void issueWhenJdbcTransactionRollsBackThenKeepsNoKey() {
        jdbc().run(context -> {
            assertThatThrownBy(() -> context.getBean(Signup.class).failing()).hasMessage("no");
            assertThat(count("_credential_api_keys")).isZero();
        });
    }

    @Test
    void issueWhenJdbcTransactionCommitsThenKeepsTheKey() {
        jdbc().run(context -> {
            context.getBean(Signup.class).succeeding();
            assertThat(count("_credential_api_keys")).isEqualTo(1);
        });
    }

    @Test
    void issueWhenJpaTransactionRollsBackThenKeepsNothing() {
        jpa().withPropertyValues("spring.jpa.hibernate.ddl-auto=update").run(context -> {
            assertThat(context.getBean(PlatformTransactionManager.class)).isInstanceOf(JpaTransactionManager.class);
            assertThatThrownBy(() -> context.getBean(JpaSignup.class).failing()).hasMessage("no");
            assertThat(count("_credential_api_keys")).isZero();
            assertThat(count("customers")).isZero();
        });
    }

    @Test
    void issueWhenJpaTransactionCommitsThenKeepsEverything() {
        jpa().withPropertyValues("spring.jpa.hibernate.ddl-auto=update").run(context -> {
            context.getBean(JpaSignup.class).succeeding();
            assertThat(count("_credential_api_keys")).isEqualTo(1);
            assertThat(count("customers")).isEqualTo(1);
        });
    }

    @Test
    void issueWhenTransactionIsOfAnotherThenRefused() {
        jpa().withPropertyValues("spring.jpa.hibernate.ddl-auto=update")
                .withUserConfiguration(OwnManager.class, OtherManager.class)
                .run(context -> {
                    TransactionTemplate jpa =
                            new TransactionTemplate(context.getBean("jpa", PlatformTransactionManager.class));
                    JpaSignup signup = context.getBean(JpaSignup.class);
                    assertThatThrownBy(() -> jpa.executeWithoutResult(status -> signup.persistAndIssue()))
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("primary");
                    assertThat(count("_credential_api_keys")).isZero();
                    assertThat(count("customers")).isZero();
                });
    }

    @Test
    void jpaWhenItValidatesThenWaitsForOurTables() {
        JdbcClient.create(database.dataSource())
                .sql("create table customers (id bigint primary key)")
                .update();
        jpa().withPropertyValues("spring.jpa.hibernate.ddl-auto=validate").run(context -> {
            assertThat(context.getBeanFactory()
                            .getBeanDefinition("entityManagerFactory")
                            .getDependsOn())
                    .contains("credentialSchemaInitializer");
            context.getBean(JpaSignup.class).succeeding();
            assertThat(count("_credential_api_keys")).isEqualTo(1);
        });
    }

    @Test
    void jpaWhenItCreatesItsTablesFirstThenContextStarts() {
        jpa().withPropertyValues(
                        "spring.jpa.hibernate.ddl-auto=create", "spring.jpa.defer-datasource-initialization=true")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void managerWhenOfAnotherDataSourceThenIsNotTaken() {
        jdbc().withBean(
                        "other",
                        PlatformTransactionManager.class,
                        () -> new DataSourceTransactionManager(
                                new DriverManagerDataSource("jdbc:postgresql://localhost:1/nowhere")))
                .withUserConfiguration(OwnManager.class)
                .run(context -> {
                    assertThatThrownBy(() -> context.getBean(Signup.class).failing())
                            .hasMessage("no");
                    assertThat(count("_credential_api_keys")).isZero();
                });
    }

    @Test
    void issueWhenNoManagerFitsThenStillStoresTheKey() {
        StarterRunner.on(database, directory)
                .withBean(
                        "other",
                        PlatformTransactionManager.class,
                        () -> new DataSourceTransactionManager(
                                new DriverManagerDataSource("jdbc:postgresql://localhost:1/nowhere")))
                .run(context -> {
                    context.getBean(ApiKeyRegistry.class).issue(IssueRequest.forOwner("user-42"));
                    assertThat(count("_credential_api_keys")).isEqualTo(1);
                });
    }

    /** What an application does: a key is part of a larger change. */
    static class Signup {

        private final ApiKeyRegistry registry;

        Signup(ApiKeyRegistry registry) {
            this.registry = registry;
        }

        @Transactional
        public void failing() {
            succeeding();
            throw new IllegalStateException("no");
        }

        @Transactional
        public void succeeding() {
            issue();
        }

        void issue() {
            registry.issue(IssueRequest.forOwner("user-42"));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnManager {

        @Bean
        @Primary
        JdbcTransactionManager ours(DataSource dataSource) {
            return new JdbcTransactionManager(dataSource);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OtherManager {

        @Bean
        JpaTransactionManager jpa(EntityManagerFactory entities) {
            return new JpaTransactionManager(entities);
        }
    }

    @EntityScan(basePackageClasses = JoinedTransactionsTests.class)
    @Import(JoinedTransactionsTests.Signup.class)
    static class JpaSignup {

        private final Signup signup;
        private final EntityManager entities;

        JpaSignup(Signup signup, EntityManager entities) {
            this.signup = signup;
            this.entities = entities;
        }

        @Transactional
        public void failing() {
            succeeding();
            throw new IllegalStateException("no");
        }

        @Transactional
        public void succeeding() {
            persistAndIssue();
        }

        void persistAndIssue() {
            entities.persist(new Customer(1));
            entities.flush();
            signup.issue();
        }
    }

    @Entity
    @Table(name = "customers")
    static class Customer {

        @Id
        private long id;

        Customer() {}

        Customer(long id) {
            this.id = id;
        }

        long id() {
            return id;
        }
    }
}
