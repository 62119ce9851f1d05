/// What each third party has taken of the budget of all together.
enum BudgetShareSQL {
  static let schema = """
    ALTER TABLE group_budget ADD COLUMN taken bigint NOT NULL DEFAULT 0 CHECK (taken >= 0);
    COMMENT ON COLUMN group_budget.taken IS
      'ρ in billionths of what all have spent together: answers that nobody had before; 0 of third party 0';
    -- Whatever was spent may have been taken.
    UPDATE group_budget SET taken = spent WHERE third_party <> 0;

    -- Shares are counted whenever somebody asks, and most accounts are of persons.
    CREATE INDEX account_third_party ON account (id) WHERE kind = 'third_party';
    """
}
