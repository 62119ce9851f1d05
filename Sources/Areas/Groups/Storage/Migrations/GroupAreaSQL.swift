/// Areas with names, of which questions about groups may be.
enum GroupAreaSQL {
  static let schema =
    """
    CREATE TABLE group_area (
      code       text COLLATE "C" PRIMARY KEY,
      level      smallint NOT NULL CHECK (level BETWEEN 1 AND 3),
      name       text NOT NULL,
      name_lower text NOT NULL,
      parent     text NOT NULL,
      cells      int4multirange NOT NULL
    );
    COMMENT ON TABLE group_area IS 'Italy''s regions, and the provinces and municipalities that an operator imports';
    COMMENT ON COLUMN group_area.code IS 'IT-R, IT-P or IT-M, and ISTAT''s code';
    COMMENT ON COLUMN group_area.level IS '1 region, 2 province, 3 municipality';
    COMMENT ON COLUMN group_area.parent IS 'The code of the area around it; may be empty, and need not be imported';
    COMMENT ON COLUMN group_area.cells IS 'The cells of PlaceGrid that belong to it; none of an area that is too small';

    """ + ItalianRegionsSQL.rows
}
